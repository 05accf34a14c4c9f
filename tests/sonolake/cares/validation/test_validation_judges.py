"""Judges, embedded and asked, and what is made of their readings."""

import json

import pytest

from sonolake.cares.validation import Reading, RuleJudge, cohen, read_all, recovered
from sonolake.cares.validation.chat_judge import ChatReader, ChatRewriter
from sonolake.errors import InvalidInput, ItemRefused
from sonolake.models.chat import Asker

DOG = "*shared/dog_bark dog barking"


def read(scene):
    return RuleJudge().read(scene.transcript).reactions["shared/dog_bark"]


OPENING = ("A: I want to sell the piano.", "B: Since when do you want to sell it?")
CLOSING = (
    "A: It fills the room, and nobody plays.",
    "B: Ask the school, they lost theirs.",
    "A: I will ask.",
)


@pytest.mark.parametrize(
    ("reaction", "lines"),
    [
        ("ambient", ("A: Since my daughter moved out.", "B: Then call the shop in the High Street.")),
        ("verbal", ("A: Oh, that barking. I want to since she moved out.", "B: Then call the music shop.")),
        ("behavioral", ("A: Since my… since my daughter moved out.", "B: Then call the shop, they buy.")),
        ("behavioral", ("A: Sorry, what was I saying? Since she moved out.", "B: Then call the shop.")),
        ("behavioral", ("A: Since my [louder] daughter moved out, I think.", "B: Then call the shop.")),
        (
            "pivot",
            (
                "A: Do you hear that dog in the yard?",
                "B: That poor animal, somebody shut it in.",
                "A: The barking never stopped yesterday either.",
                "B: We should ring at the door, that dog is thirsty.",
            ),
        ),
    ],
)
def test_the_embedded_judge_reads_plain_cases(by_hand, reaction, lines):
    assert read(by_hand(*OPENING, DOG, *lines, *CLOSING, dog_bark=reaction)) == reaction


def test_a_that_which_joins_clauses_points_at_nothing(by_hand):
    lines = ("A: I know that pianos are heavy.", "B: The ones that people want are light.")
    assert read(by_hand(*OPENING, DOG, *lines, *CLOSING, dog_bark="ambient")) == "ambient"


def test_the_embedded_judge_recovers_what_the_embedded_writer_wrote(rated):
    found = recovered(rated, RuleJudge(), read_all(rated, RuleJudge()))
    assert not found.self_check
    assert (found.scenes, found.missing, found.unread) == (100, 0, 0)
    assert found.sounds == sum(len(scene.asked) for scene in rated)
    assert found.interval.low <= found.kappa.value <= found.interval.high
    assert found.kappa.value > 0.75
    assert all(row[asked] == max(row.values()) for asked, row in found.confusion.items())


class Fixed:
    """A judge that says what it was told to."""

    quotes = False

    def __init__(self, reactions, topic="", name="fixed"):
        self.reactions, self.topic, self.name, self.asked = reactions, topic, name, []

    def read(self, transcript):
        self.asked.append(transcript)
        if self.reactions is None:
            raise ItemRefused("no_answer", "nothing")
        return Reading(self.topic, self.reactions)

    def wrote(self, writer):
        return writer == self.name


TWO = ("A: One.", "*general/zip zip", "B: Two.", "*shared/dog_bark dog", "A: Three.", "B: Four.")


@pytest.fixture
def scene(by_hand):
    return by_hand(*TWO, zip="behavioral", dog_bark="verbal", writer="grammar")


def judged(scenes, judge, matches=None):
    return recovered(scenes, judge, read_all(scenes, judge), matches, resamples=50)


def test_a_judge_is_shown_the_transcript_alone(scene):
    judge = Fixed({})
    judged([scene], judge)
    assert judge.asked == [scene.transcript]
    assert scene.transcript.text().splitlines() == [
        *("A: One.", "[SOUND 1: zip]", "B: Two.", "[SOUND 2: dog]", "A: Three.", "B: Four.")
    ]
    assert "verbal" not in repr(scene.transcript)


def test_a_scene_passes_when_every_sound_is_recovered(scene):
    found = judged([scene], Fixed({"general/zip": "behavioral", "shared/dog_bark": "verbal"}))
    assert found.passed == {"scene"}
    assert found.kappa.value == pytest.approx(1.0)


def test_a_sound_that_is_not_typed_fails_its_scene_and_is_no_part_of_kappa(scene):
    found = judged([scene], Fixed({"shared/dog_bark": "verbal", "no/such": "pivot"}))
    assert (found.sounds, found.missing, found.passed) == (1, 1, frozenset())


def test_a_change_of_voice_read_as_ambient_passes_where_its_tag_is_in_place(by_hand, scene):
    answers = {"general/zip": "ambient", "shared/dog_bark": "verbal"}
    assert judged([scene], Fixed(answers)).passed == frozenset()
    voiced = by_hand(*TWO, zip="behavioral", dog_bark="verbal", voiced=["general/zip"])
    found = judged([voiced], Fixed(answers))
    assert found.passed == {"scene"}
    assert found.confusion["behavioral"]["ambient"] == 1


def test_a_scene_whose_topic_does_not_match_fails(scene):
    right = Fixed({"general/zip": "behavioral", "shared/dog_bark": "verbal"})
    assert judged([scene], right, {"scene": False}).passed == frozenset()
    assert judged([scene], right, {"scene": True}).passed == {"scene"}


def test_a_judge_that_wrote_the_dialogues_checks_itself(scene):
    assert judged([scene], Fixed({}, name="grammar")).self_check
    assert not judged([scene], Fixed({}, name="another")).self_check


def test_a_scene_without_a_reading_is_counted(scene):
    found = judged([scene], Fixed(None))
    assert (found.scenes, found.unread, found.kappa) == (0, 1, None)


def test_kappa_of_the_report_is_cohens(rated):
    readings = read_all(rated, RuleJudge())
    found = recovered(rated, RuleJudge(), readings, resamples=0)
    asked = [reaction for scene in rated for reaction in scene.asked.values()]
    said = [readings[scene.scene_id].reactions[event] for scene in rated for event in scene.asked]
    assert found.kappa == cohen(asked, said)
    assert found.interval.low == pytest.approx(found.kappa.value)


def test_what_is_read_is_kept_and_not_read_again(scene, tmp_path):
    kept = tmp_path / "readings.jsonl"
    first = Fixed({"general/zip": "pivot"}, "A topic.")
    read_all([scene], first, kept)
    with kept.open("ab") as lines:
        lines.write(b'{"scene_id": "cut o')
    again = Fixed({}, name="fixed")
    found = read_all([scene], again, kept)
    assert again.asked == []
    assert found["scene"] == Reading("A topic.", {"general/zip": "pivot"})
    with pytest.raises(InvalidInput, match="another judge's"):
        read_all([scene], Fixed({}, name="somebody else"), kept)


def test_a_refusal_is_asked_again(scene, tmp_path):
    kept = tmp_path / "readings.jsonl"
    read_all([scene], Fixed(None), kept)
    found = read_all([scene], Fixed({"general/zip": "pivot"}), kept)
    assert found["scene"].reactions == {"general/zip": "pivot"}


def answer(reactions, topic="They talk about a piano."):
    sounds = [{"number": n, "reaction": reaction} for n, reaction in enumerate(reactions, 1)]
    return {"topic": topic, "sounds": sounds}


def test_a_chat_model_reads_a_transcript(provider, chat, scene):
    provider.answer = lambda body: answer(["behavioral", "verbal"])
    judge = ChatReader(Asker(chat(f"openai:llama@{provider.url}")))
    found = judged([scene], judge)
    assert found.passed == {"scene"}
    assert judge.name == f"openai:llama@{provider.url}"
    (sent,) = provider.requests
    said = " ".join(m["content"] for m in sent["messages"])
    assert "[SOUND 2: dog]" in said
    assert "dog_bark" not in said


def test_strange_answers_of_a_chat_model(provider, chat, scene):
    judge = ChatReader(Asker(chat(f"openai:llama@{provider.url}")))
    provider.answer = lambda body: answer(["behavioral", "loud", "pivot"])
    assert judge.read(scene.transcript).reactions == {"general/zip": "behavioral"}
    provider.answer = lambda body: json.dumps(["nothing"])
    found = judged([scene], ChatReader(Asker(chat(f"openai:llama@{provider.url}"))))
    assert (found.unread, found.passed) == (1, frozenset())


def test_a_chat_model_knows_its_own_dialogues_behind_any_endpoint(provider, chat):
    judge = ChatReader(Asker(chat(f"openai:llama@{provider.url}")))
    assert judge.wrote("chat:openai:llama@http://other:8000/v1 prompt-3")
    assert not judge.wrote("chat:openai:qwen@http://other:8000/v1 prompt-3")
    assert not judge.wrote("embedded-grammar:6")


def test_a_chat_model_says_topics_in_other_words(provider, chat):
    provider.answer = lambda body: f" Again: {body['messages'][-1]['content']} "
    rewriter = ChatRewriter(Asker(chat(f"openai:llama@{provider.url}")))
    assert rewriter.reword("Whether to sell the piano.") == "Again: Whether to sell the piano."
