"""Searches: what is asked, page by page, and what is not asked twice."""

import pytest

from sonolake.errors import InvalidInput, LimitReached, Refused, Unreachable
from sonolake.sources.freesound import Query
from sonolake.sources.freesound.secrets import Secret


def ids(listing):
    return [sound.id for sound in listing.sounds]


@pytest.fixture
def dogs(freesound, freesound_server):
    """400 sounds of which 320 are dogs: three pages; made without audio, as nobody downloads them."""
    freesound.add(
        *(
            freesound_server.Sound(n, b"o", b"p", name="dog" if n % 5 else "cat", duration=n / 10)
            for n in range(1, 401)
        )
    )
    return freesound


def test_a_search_asks_for_whole_pages_and_finds_every_sound_once(dogs, catalogue):
    found = catalogue().find(Query("dog"))
    assert sorted(ids(found)) == [n for n in range(1, 401) if n % 5]
    assert found.nulls == 0
    asked = dogs.requests("GET /apiv2/search/")
    assert [(one.params["page"], one.params["page_size"]) for one in asked] == [
        ("1", "150"),
        ("2", "150"),
        ("3", "150"),
    ]
    assert all("token" not in one.params for one in asked), "the key goes by header, on every page"


def test_words_filters_and_order_arrive_as_they_were_written(dogs, freesound_server, catalogue):
    dogs.add(
        freesound_server.Sound(900, b"o", b"p", name="100%25 wet c++ loop", tags=("a b",)),
        freesound_server.Sound(901, b"o", b"p", name="100% dry c++ loop", tags=("a b",)),
    )
    assert ids(catalogue().find(Query("100% c++", 'tag:"a b"'))) == [901, 900]
    assert ids(catalogue().find(Query("100%25"))) == [900], "percent signs are decoded twice by the server"
    assert ids(catalogue().find(Query("c++ -wet"))) == [901]
    assert ids(catalogue().find(Query("dog", "duration:[39.5 TO *]", "duration_desc")))[:2] == [399, 398]


def test_the_first_few_take_no_more_pages_than_needed(dogs, catalogue):
    assert len(ids(catalogue().find(Query("dog"), most=150))) == 150
    assert len(dogs.asked) == 1
    assert len(ids(catalogue().find(Query("dog"), most=151))) == 151
    assert len(dogs.asked) == 2, "the first page is kept"


def test_results_that_are_null_are_counted(dogs, catalogue):
    for n in (1, 7, 399):
        dogs.sounds[n].deleted = True
    found = catalogue().find(Query("dog"))
    assert (len(found.sounds), found.nulls) == (317, 3)


def test_nothing_found_is_one_empty_page(dogs, catalogue):
    assert catalogue().find(Query("zebra")).sounds == ()
    assert len(dogs.asked) == 1


def test_a_search_that_became_shorter_meanwhile_ends(dogs, catalogue):
    dogs.faults = lambda number, *_: number == 2 and dogs.sounds.clear()
    assert len(catalogue().find(Query("dog")).sounds) == 150


def test_a_search_that_was_cut_short_asks_for_no_page_twice(dogs, catalogue):
    dogs.faults = lambda number, *_: "day" if number == 3 else None
    with pytest.raises(LimitReached, match="the same command goes on after 2027-01-15 09:00 UTC"):
        catalogue().find(Query("dog"))
    dogs.faults = lambda *_: None
    with pytest.raises(LimitReached):
        catalogue().find(Query("dog"))
    assert len(dogs.asked) == 3, "the day is over: nothing is asked"


def test_the_next_run_goes_on_where_the_last_one_stopped(dogs, catalogue, clock):
    dogs.faults = lambda number, *_: "day" if number == 3 else None
    with pytest.raises(LimitReached):
        catalogue().find(Query("dog"))
    clock.now += 86_400
    assert len(catalogue().find(Query("dog")).sounds) == 320
    assert [one.params["page"] for one in dogs.asked] == ["1", "2", "3", "3"]


def test_a_whole_list_is_asked_for_again_the_next_night_or_when_told(dogs, catalogue, clock):
    catalogue().find(Query("dog"))
    catalogue().find(Query("dog"))
    assert len(dogs.asked) == 3
    catalogue().find(Query("dog"), anew=True)
    assert len(dogs.asked) == 6
    clock.now += 20 * 3600
    del dogs.sounds[399]
    assert len(catalogue().find(Query("dog")).sounds) == 319
    assert len(dogs.asked) == 9


def test_the_newest_few_are_looked_for_again_the_next_night(dogs, freesound_server, catalogue, clock):
    newest = Query("dog", sort="created_desc")
    assert ids(catalogue().find(newest, most=2)) == [399, 398]
    dogs.add(freesound_server.Sound(500, b"o", b"p", name="dog"))
    assert ids(catalogue().find(newest, most=2)) == [399, 398]
    assert len(dogs.asked) == 1
    clock.now += 20 * 3600
    assert ids(catalogue().find(newest, most=2)) == [500, 399]


def test_a_filter_that_the_server_cannot_read_is_said_in_its_words(dogs, catalogue):
    with pytest.raises(InvalidInput, match="undefined field colour"):
        catalogue().find(Query("dog", "colour:red"))
    assert len(dogs.asked) == 1


@pytest.mark.parametrize("fault", ["500", "html", "cut", "reset"])
def test_broken_answers_are_asked_for_again_and_waited_for_longer_each_time(dogs, catalogue, clock, fault):
    dogs.faults = lambda number, *_: fault if 1 < number < 5 else None
    assert len(catalogue().find(Query("dog")).sounds) == 320
    assert len(dogs.asked) == 6
    assert clock.slept == [1.0, 2.0, 4.0]


def test_a_server_that_stays_broken_is_given_up(dogs, catalogue, clock):
    dogs.faults = lambda *_: "500"
    with pytest.raises(Unreachable, match="no whole answer in 6 tries, the last one: 500 Server error"):
        catalogue().find(Query("dog"))
    assert len(dogs.asked) == 6
    assert sum(clock.slept) == 31


def test_a_minute_that_is_used_up_elsewhere_is_waited_for(dogs, catalogue, clock):
    dogs.faults = lambda number, *_: "minute" if number == 1 else None
    assert len(catalogue().find(Query("dog")).sounds) == 320
    assert len(dogs.asked) == 4
    assert 60 <= sum(clock.slept) <= 62


@pytest.mark.parametrize(
    ("fault", "key", "message"),
    [
        ("suspended", None, "credential has been suspended"),
        (None, "wrong-key", "Freesound refuses the credential: 401 Invalid token"),
    ],
)
def test_a_key_that_is_not_accepted_ends_at_once(dogs, freesound_server, catalogue, fault, key, message):
    dogs.faults = lambda *_: fault
    with pytest.raises(Refused, match=message) as refused:
        catalogue(key=Secret(key or freesound_server.KEY)).find(Query("dog"))
    assert len(dogs.asked) == 1
    assert "wrong-key" not in str(refused.value)


def test_numbers_are_looked_up_by_the_page_and_missing_ones_alone(dogs, catalogue):
    dogs.sounds[7].deleted = True
    dogs.sounds[8].in_index = False
    sounds, gone = catalogue().by_ids([9, 8, 7, *range(100, 300), 12345])
    assert [sound.id for sound in sounds] == [9, 8, *range(100, 300)]
    assert [(refusal.item, refusal.reason) for refusal in gone] == [
        ("freesound:7", "gone"),
        ("freesound:12345", "gone"),
    ]
    assert len(dogs.requests("search")) == 2
    assert [one.path for one in dogs.requests("sounds")] == [f"/apiv2/sounds/{n}/" for n in (8, 7, 12345)], (
        "an index may lag behind: they are asked for alone"
    )
    catalogue().by_ids([9, 8, 7, *range(100, 300), 12345])
    assert len(dogs.asked) == 5


def test_numbers_that_are_known_are_not_asked_for(dogs, catalogue):
    sounds, gone = catalogue().by_ids([1, 2, 3], known={1, 2, 3})
    assert (sounds, gone, dogs.asked) == ([], [], [])


def unit(*values):
    length = sum(value**2 for value in values) ** 0.5
    return tuple(value / length for value in (*values, *[0.0] * (512 - len(values))))


def test_sounds_that_are_similar_to_a_sound_or_to_a_vector(freesound, freesound_server, catalogue):
    for n, vector in ((1, unit(1, 0)), (2, unit(1, 0.2)), (3, unit(0.1, 1)), (4, unit(1, 0.1))):
        freesound.add(freesound_server.Sound(n, b"o", b"p", vector=vector))
    assert ids(catalogue().find(Query(similar_to=1))) == [4, 2]
    assert ids(catalogue().find(Query(similar_to=unit(0, 2)))) == [3]
    assert freesound.asked[0].params["similarity_space"] == "laion_clap"
