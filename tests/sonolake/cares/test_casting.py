"""Who speaks in which split."""

import pytest

from sonolake.cares.casting import CastVoice, parted, voices_of_split

SPLITS = ("train", "validation", "test")


def voices(each):
    return [CastVoice(f"voice:{gender}{n}", "0" * 64, gender) for gender in "fm" for n in range(3 * each)]


def ledger(some):
    return {voice.spec: SPLITS[n % 3] for n, voice in enumerate(some)}


@pytest.mark.parametrize(
    ("genders", "enough"), [("ffffffmmmmmm", True), ("ffffffmmmmm", False), ("fm", False)]
)
def test_two_of_each_gender_for_every_split_are_enough(genders, enough):
    assert parted(genders) is enough


def test_with_two_of_each_gender_for_every_split_no_voice_speaks_in_two():
    pool = voices(2)
    of = {split: voices_of_split(split, pool, ledger(pool)) for split in SPLITS}
    assert [sorted(v.gender for v in some) for some in of.values()] == [["f", "f", "m", "m"]] * 3
    assert len({v.spec for some in of.values() for v in some}) == len(pool)


def test_with_fewer_all_are_shared():
    pool = voices(2)
    split_of = ledger(pool)
    assert voices_of_split("test", pool, {}) == tuple(pool)
    assert voices_of_split("train", pool[:-1], split_of) == tuple(pool[:-1])


def test_a_voice_that_came_later_does_not_speak_before_it_has_a_split():
    pool = voices(2)
    late = CastVoice("voice:late", "0" * 64, "f")
    assert all(late not in voices_of_split(split, [*pool, late], ledger(pool)) for split in SPLITS)
