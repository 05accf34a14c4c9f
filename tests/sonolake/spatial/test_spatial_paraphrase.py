"""Questions in other words: what survives is taken, what does not is not, and nothing is asked twice."""

import pytest

from sonolake.errors import ItemRefused
from sonolake.models.chat import Asker, chat_model
from sonolake.spatial.draft import Draft, phrasings, worded
from sonolake.spatial.paraphrase import paraphrased, what_is_lost

SECTOR = Draft("sector_of", ("left", "right", "front", "rear"), {"event": "shared/dog_bark"})
NEARER = Draft(
    "nearer",
    ("cat|1.0 m|3.0 m", "dog|1.0 m|3.0 m", "cat|2.0 m|4.0 m", "dog|2.0 m|4.0 m"),
    {"event": "cat", "other": "dog"},
    {
        value: {"first": value[:3], "near": value[4:9], "far": value[10:]}
        for value in ("cat|1.0 m|3.0 m", "dog|1.0 m|3.0 m", "cat|2.0 m|4.0 m", "dog|2.0 m|4.0 m")
    },
)


def asked(draft, dimension):
    return worded(draft, "clip-1", 2, dimension)


@pytest.fixture
def asker(provider):
    model = chat_model(f"openai:llama@{provider.url}")
    yield Asker(model)
    model.close()


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("Where does the robot hear the dog bark?", ""),
        ("Where does the robot hear the dog?", "does not name dog bark"),
        ("Where is the dog bark, left or right?", "names left, right"),
        ("Where is the dog bark after 3 seconds?", "numbers"),
        ("Where is the dog bark not?", "words that turn"),
        ("The dog bark comes from somewhere.", "not one question"),
        ("Where? Where is the dog bark?", "not one question"),
    ],
)
def test_names_numbers_and_sense_must_survive(text, lost):
    found = what_is_lost(asked(SECTOR, "SL"), text)
    assert (lost in found) if lost else found == ""


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("Which source is closer, the cat or the dog?", True),
        ("Which source is farther away, the cat or the dog?", False),
        ("Which source is less close, the cat or the dog?", False),
        ("Which source is closer, the cat?", False),
    ],
)
def test_near_never_becomes_far(text, taken):
    assert (what_is_lost(asked(NEARER, "SR"), text) == "") is taken


def test_a_model_says_it_anew_and_only_the_sentence_changes(provider, asker):
    provider.answer = lambda body: '"In which direction is the\ndog bark?"'
    question = asked(SECTOR, "SL")
    found = paraphrased(question, asker)
    assert found.question == "In which direction is the dog bark?"
    assert (found.options, found.values, found.answer) == (question.options, question.values, question.answer)
    assert paraphrased(question, asker) == found
    assert len(provider.requests) == 1


def test_another_question_is_refused(provider, asker):
    provider.answer = lambda body: "How loud is the dog bark?"
    with pytest.raises(ItemRefused, match="other_question"):
        paraphrased(asked(SECTOR, "SL"), asker)


PAIRS = [("nearer", "farther"), ("first", "last"), ("step_first", "step_last"), ("onset", "offset")]
PAIRS += [("onset", "duration"), ("count_classes", "count_simultaneous"), ("sector_of", "onset")]


def of_kind(kind):
    names = {"event": "kettle", "other": "radio", "sector": "rear"}
    used = {n: v for n, v in names.items() if any(f"{{{n}}}" in q for q in phrasings()[kind]["questions"])}
    values = ("aa", "bb", "cc", "dd")
    fields = {"value": "x", "first": "x", "near": "1 m", "far": "2 m", "step": "x", "sector": "rear"}
    words = {v: {n: f"{t}{v}" for n, t in fields.items()} for v in values}
    question = worded(Draft(kind, values, used, words), "clip-1", 2, "SC")
    return question, [line.format(**names) for line in phrasings()[kind]["questions"]]


@pytest.mark.parametrize(("one", "other"), PAIRS + [pair[::-1] for pair in PAIRS])
def test_a_sentence_of_the_opposite_kind_is_never_taken(one, other):
    question, _ = of_kind(one)
    assert [line for line in of_kind(other)[1] if what_is_lost(question, line) == ""] == []


def test_most_of_our_own_sentences_would_be_taken():
    """The others are two questions, or say it by a denial ("less far away"), which a model may not."""
    both = [
        (of_kind(kind)[0], line) for kind in phrasings() if kind != "relation" for line in of_kind(kind)[1]
    ]
    taken = [line for question, line in both if what_is_lost(question, line) == ""]
    assert len(taken) >= 0.75 * len(both)
