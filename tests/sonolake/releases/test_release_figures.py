"""Every figure of card and report stands with its proof, and is what the proof states."""

import dataclasses
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.errors import Damaged, Refused
from sonolake.releases import OwnProof, build, prove
from sonolake.releases.answers import Answer
from sonolake.releases.figures import check_figures, in_markdown, named, proof_link, without_marks
from sonolake.releases.figures.words import figure_words, told_by
from sonolake.releases.proof import parse_proof
from sonolake.releases.proofs import answered
from sonolake.releases.proving import read_proofs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mono, 44.1 kHz, 16 bits, -23 LUFS.", ["44.1", "16", "-23"]),
        ("(1,234 of 5)", ["1,234", "5"]),
        ("1/3 of 2–30 s", ["1", "3", "2", "30"]),
        ("CC-BY-4.0, BCP-47 and BS.1770-4", []),
        ("0.2.0 of 2026-11-30", []),
        ("scene-001 as v2", []),
        ("0:05 / 1:10", ["0:05", "1:10"]),
        ("99% and 3x", ["99%", "3x"]),
        ("#13, ≈13, $13, €-13, **№13**", ["13", "13", "13", "-13", "13"]),
        ("½ of 2½ and ②", ["½", "2½", "②"]),
        ("Two of twenty-one, a dozen; half, or hundreds", ["Two", "twenty-one", "dozen", "half", "hundreds"]),
        ("two-stage", ["two-stage"]),
        ("one of none, someone often tends to weigh a network", []),
        ("demo@0.1.0, m², x13, # and ½-", ["½-"]),
    ],
)
def test_which_words_state_a_figure(text, words):
    assert figure_words(text) == words


@pytest.mark.parametrize(
    ("stated", "word"),
    [
        ("0.5", "½"),
        ("2.75", "2¾"),
        ("13", "thirteen"),
        ("42", "Forty-two"),
        ("0", "zero"),
        ("two", "2"),
        ("6", "six"),
    ],
)
def test_a_figure_in_words_is_the_one_in_digits(stated, word):
    assert told_by([stated]).holds(word)
    assert not told_by(["7"]).holds(word)
    assert told_by([json.dumps({"text": f"at seven or {stated}"})]).holds(word)


@settings(deadline=None, max_examples=50)
@given(
    st.integers(0, 10**9),
    st.sampled_from(
        ["{}", "({})", "{}.", "about {:,} or so", "{} dB", "'{}'", "#{}", "≈{}", "$ {}", "@{}%", "§({})"]
    ),
)
def test_a_number_is_found_in_whatever_stands_around_it(number, form):
    (word,) = figure_words(form.format(number))
    assert told_by([str(number)]).holds(word)
    assert not told_by([str(number + 1)]).holds(word)


def test_an_item_tells_its_numbers_rounded_and_how_many_things_it_has():
    told = told_by(
        [
            '{"loudness_lufs": -23.047, "events": [{"onset_s": 65.8}, {"onset_s": 2.5}], "text": "at 7 o\'clock"}'
        ]
    )
    assert all(map(told.holds, ["-23.0", "-23.05", "1:05", "65.8", "2", "7", "3"]))
    assert not any(map(told.holds, ["-23.1", "23.0", "1:06", "65.7", "9"]))


def test_sentences_of_others_are_proven_or_quoted():
    assert in_markdown("Mono, 44.1 kHz, `-23 LUFS`.") == "Mono, `44.1` kHz, `-23 LUFS`."
    told = f"6 dogs ({proof_link('dogs')})."
    assert in_markdown(told) == told == "6 dogs ([dogs](proofs/dogs.sql))."


def problems(release):
    results = check_figures(read_proofs(release), lambda path: (release / path).read_text())
    return [] if not results else list(results[0].shown)


def changed(release, path, old, new):
    text = (release / path).read_text()
    assert old in text
    (release / path).write_text(text.replace(old, new, 1))
    return problems(release)


def test_a_right_release_has_no_figure_without_proof(release):
    assert problems(release) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("| CC0-1.0 | 13 | 3 |", "| CC0-1.0 | 3 | 13 |", "3, 13 is not what counts-licences states"),
        ("## Limitations\n", "## Limitations\n\n- All 13 are good.\n", "13 has no proof"),
        ("## Limitations\n", "## Limitations\n\n- All thirteen are good.\n", "thirteen has no proof"),
        ("## Limitations\n", "## Limitations\n\n- ≈13 are good.\n", "13 has no proof"),
        ("| 0.00 | 1 | [counts-items](proofs/counts-items.sql) |", "| 0.00 | 1 |", "has no proof"),
        ("(proofs/counts-items.sql)", "(proofs/nobody.sql)", "the proof nobody, which is not there"),
    ],
)
def test_the_card_s_figures_are_found(release, old, new, said):
    assert said in changed(release, "README.md", old, new)[0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('class="value">10<', 'class="value">11<', "report.html, counts: 11 is not what"),
        ("6 events</title>", "7 events</title>", "7 is not what values-cares states"),
        ('aria-label="Reactions: pivot 10"', 'aria-label="Reactions: pivot 9"', "9 is not what values-cares"),
        ("</main>", "<p>In all 13.</p></main>", "report.html, proofs: 13 has no proof"),
        ("</main>", "<p>About &frac12; of it.</p></main>", "report.html, proofs: ½ has no proof"),
        ("<dt>items</dt>", '<dt title="of 20">items</dt>', "report.html, head: 20 has no proof"),
    ],
)
def test_the_report_s_figures_are_found(release, old, new, said):
    (found,) = changed(release, "report.html", old, new)
    assert said.removeprefix("report.html, proofs") in found or said in found


def test_a_document_that_is_gone_is_not_without_figures(release):
    (release / "report.html").unlink()
    results = check_figures(
        read_proofs(release), lambda p: None if p == "report.html" else (release / p).read_text()
    )
    assert results[0].shown == ("report.html is not there",)


def test_what_is_stated_is_compared_row_by_row(release):
    path = release / "proofs/counts-items.sql"
    path.write_text(path.read_text().replace('["cares", "train", "6"', '["cares", "train", "5"'))
    (wrong,) = (r for r in prove(release) if r.proof.id == "counts-items")
    assert wrong.outcome == "fails" and wrong.rows == wrong.proof.expected
    assert wrong.shown[0].startswith("config cares, split train, items 6")
    assert wrong.shown[1].startswith("config cares, split train, items 5")


DOGS = OwnProof(
    "dogs",
    "report",
    "Dogs that bark in cares.",
    "SELECT e.event AS sound, count(*) AS n FROM read_parquet(getvariable('shards')), unnest(events) AS t(e) "
    "GROUP BY ALL",
    "cares",
)


def test_a_release_brings_proofs_of_its_own(content, store, tmp_path):
    told = dataclasses.replace(content, proofs=(DOGS,), notes=(f"10 dogs bark ({proof_link('dogs')}).",))
    build(told, store.__getitem__, tmp_path / "r")
    (dogs,) = (r for r in prove(tmp_path / "r") if r.proof.id == "dogs")
    assert dogs.answer == Answer(("sound", "n"), (("shared/dog_bark", "10"),))
    assert 'data-proof="dogs"' in (tmp_path / "r/report.html").read_text()
    wrong = dataclasses.replace(told, notes=(f"11 dogs bark ({proof_link('dogs')}).",))
    with pytest.raises(Refused, match=r"figures: \d rows(.|\n)*11 is not what dogs states"):
        build(wrong, store.__getitem__, tmp_path / "w")


def test_a_claim_of_its_own_that_fails_stops_the_publish(content, store, tmp_path):
    sql = "SELECT item_id, duration_s FROM read_parquet(getvariable('root') || '/items.parquet') WHERE duration_s < 1"
    short = OwnProof("long", "must", "No item is short.", sql)
    with pytest.raises(Refused, match=r"long: 13 rows(.|\n)*duration_s 0.2"):
        build(dataclasses.replace(content, proofs=(short,)), store.__getitem__, tmp_path / "r")


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_answers_survive_the_head_of_a_proof(rows):
    answer = Answer(("a", "b"), tuple(rows))
    text = "-- id: x\n-- policy: report\n-- meaning: X.\n-- expected: ${rows} rows, as follows\n${answer}\nSELECT 1;"
    proof = parse_proof(answered(text, len(rows), answer), "x.sql")
    assert (proof.answer, proof.expected) == (answer, len(rows))


@pytest.mark.parametrize("row", ["nonsense", '{"a": 1}', '["one"]', '["a", 2]'])
def test_a_stated_answer_is_a_table_of_texts(row):
    text = "-- id: x\n-- policy: report\n-- meaning: X.\n-- expected: 1 rows, as follows\n"
    text += f'-- columns: ["a", "b"]\n-- row: {row}\n'
    with pytest.raises(Damaged, match=r"proofs/x\.sql: its stated answer"):
        parse_proof(text + "SELECT 1", "x.sql")


def test_the_report_counts_what_the_shards_hold(release):
    told = (release / "proofs/values-cares.sql").read_text()
    assert re.findall(r"^-- row: (.*)$", told, re.MULTILINE) == [
        '["Reactions", "pivot", "10", "6", "2", "2", "10"]'
    ]


def test_names_and_marks_where_there_is_no_markdown():
    assert named("CARES scenes") == "CARES scenes" and named("Top 5") == "`Top 5`"
    assert without_marks(f"6 dogs, `44.1 kHz` ({proof_link('dogs')}).") == "6 dogs, 44.1 kHz."
