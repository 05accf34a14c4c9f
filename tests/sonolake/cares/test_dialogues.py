"""Dialogues made by hand, good and bad, with what the checker has to say about each.

A line of ``dialogues.jsonl`` is a whole dialogue, or names one (``of``) and what is changed in it: ``set`` and
``drop`` by the position in its list of items, then ``insert``. ``A: words`` is an utterance, ``*event`` a sound;
codes have ``@utterance`` or ``#item`` where the place is part of the answer.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.cares.checker import check, check_rows
from sonolake.cares.findings import RULES
from sonolake.cares.records import Event, EventSpec, Scenario, Timeline, Utterance

CORPUS = [
    json.loads(line)
    for line in (Path(__file__).parent / "dialogues.jsonl").read_text(encoding="utf-8").splitlines()
]
BY_NAME = {case["name"]: case for case in CORPUS}
GOOD = [case for case in CORPUS if "of" not in case]


def scenario_of(case):
    specs = tuple(EventSpec(*spec, "core") for spec in case["events"])
    counts = Counter(spec.reaction for spec in specs)
    return Scenario.make(
        template_id="template-0",
        number=0,
        split="train",
        composition="P{}V{}B{}A{}".format(*(counts[r] for r in ("pivot", "verbal", "behavioral", "ambient"))),
        location=case["location"],
        relation="close_friends",
        roles=("friend", "friend"),
        genders="FM",
        topic=case["topic"],
        events=specs,
    )


def row_of(line):
    if not isinstance(line, str):
        return line
    if line[0] == "?":
        return line[1:]
    if line[0] == "*":
        return {"type": "event", "event_id": line[1:]}
    return {"type": "utterance", "speaker": line[0], "text": line[3:]}


def whole(case):
    """A case with what it takes from another, and its changes made."""
    if "of" not in case:
        return case
    base = BY_NAME[case["of"]]
    lines = [case.get("set", {}).get(str(i), line) for i, line in enumerate(base["lines"])]
    lines = [line for i, line in enumerate(lines) if i not in case.get("drop", ())]
    for at, line in sorted(case.get("insert", {}).items(), key=lambda pair: int(pair[0])):
        lines.insert(int(at), line)
    if "at_event" in case:
        lines = [f"*{case['at_event']}" if line[0] == "*" else line for line in lines]
    kept = {name: case.get(name, base[name]) for name in ("events", "location", "length", "topic")}
    return {**kept, "lines": lines}


def said_of(case, banks):
    case = whole(case)
    rows = [row_of(line) for line in case["lines"]]
    return check_rows(rows, scenario_of(case), banks, case["length"])[1]


def named(finding, like):
    place = ""
    if "@" in like:
        place = f"@{finding.utterance}"
    elif "#" in like:
        place = f"#{finding.item}"
    return finding.code + place


@pytest.mark.parametrize("case", CORPUS, ids=[case["name"] for case in CORPUS])
def test_what_is_wrong_with_a_dialogue(case, banks):
    found = said_of(case, banks)
    expected = case.get("codes", [])
    by_code = {code.partition("@")[0].partition("#")[0]: code for code in expected}
    assert sorted(named(f, by_code.get(f.code, "")) for f in found) == sorted(expected), found


def test_the_corpus_is_large_and_breaks_every_rule(banks):
    assert len(CORPUS) >= 60
    assert len(GOOD) >= 20
    broken = {finding.code for case in CORPUS for finding in said_of(case, banks)}
    assert set(RULES) - broken == {"two_pivots"}, "a scenario with two pivots has no composition"


def timeline_of(case):
    return Timeline.from_plain([row_of(line) for line in case["lines"]])


good = st.sampled_from(GOOD)


def codes(timeline, case, banks):
    return {finding.code for finding in check(timeline, scenario_of(case), banks, case["length"])}


@settings(deadline=None, max_examples=60)
@given(good, st.data())
def test_a_sound_that_is_taken_out_or_put_elsewhere_is_missed(banks, case, data):
    items = timeline_of(case).items
    events = [i for i, item in enumerate(items) if isinstance(item, Event)]
    if not events:
        return
    at = data.draw(st.sampled_from(events))
    rest = (*items[:at], *items[at + 1 :])
    assert "event_missing" in codes(Timeline(rest), case, banks)
    again = data.draw(st.integers(0, len(items)))
    doubled = (*items[:again], items[at], *items[again:])
    assert "event_repeated" in codes(Timeline(doubled), case, banks)


@settings(deadline=None, max_examples=60)
@given(good, st.data(), st.sampled_from(["um", "uh", "erm", "hmm", "mm"]))
def test_a_filler_is_found_wherever_it_stands(banks, case, data, filler):
    items = list(timeline_of(case).items)
    spoken = [i for i, item in enumerate(items) if isinstance(item, Utterance)]
    at = data.draw(st.sampled_from(spoken))
    words = items[at].text.split()
    place = data.draw(st.integers(0, len(words)))
    items[at] = Utterance(items[at].speaker, " ".join([*words[:place], filler, *words[place:]]))
    assert "filler" in codes(Timeline(tuple(items)), case, banks)


@settings(deadline=None, max_examples=60)
@given(good, st.data())
def test_every_utterance_has_at_most_sixty_words(banks, case, data):
    items = list(timeline_of(case).items)
    at = data.draw(st.sampled_from([i for i, item in enumerate(items) if isinstance(item, Utterance)]))
    plain = len(items[at].text.replace("[", " [").split()) - items[at].text.count("[")
    spare = data.draw(st.integers(0, 80))
    items[at] = Utterance(items[at].speaker, items[at].text + " and so on".replace(" so on", " so") * spare)
    assert ("turn_too_long" in codes(Timeline(tuple(items)), case, banks)) == (plain + 2 * spare > 60)


rows = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["type", "speaker", "text", "event_id", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)
plausible = st.lists(
    st.fixed_dictionaries(
        {"type": st.just("utterance"), "speaker": st.sampled_from("AB"), "text": st.text(max_size=40)}
    )
    | st.fixed_dictionaries(
        {"type": st.just("event"), "event_id": st.sampled_from(["general/zip", "x", "*"])}
    ),
    max_size=16,
)


@settings(deadline=None, max_examples=150)
@given(rows | plausible, good)
def test_whatever_comes_is_an_answer_and_no_error(banks, given_rows, case):
    timeline, found = check_rows(given_rows, scenario_of(case), banks, case["length"])
    assert found or timeline is not None
    assert all(finding.code in RULES and finding.message for finding in found)


@settings(deadline=None, max_examples=60)
@given(plausible)
def test_a_timeline_that_is_read_comes_back_as_it_was(given_rows):
    assert Timeline.from_plain(given_rows).to_plain() == given_rows
