import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonolake.models.packages import HIBARI, POCKETSPHINX
from sonolake.models.phonemes import ARPABET, sentences, to_arpabet, to_ipa
from sonolake.models.pronunciations import dictionary, pronunciations, spelling

pytestmark = pytest.mark.skipif(
    HIBARI.folder() is None or POCKETSPHINX.folder() is None, reason="the packages are not installed"
)


def test_phonemes_as_the_reader_documents():
    assert sentences("Hello there.") == ["həlˈO ðˈɛɹ."]  # hibari's own documentation
    assert sentences("") == []


def test_arpabet_and_ipa_by_hand():
    assert to_arpabet("həlˈO ðˈɛɹ.") == "HH AH L OW DH EH R"
    assert to_arpabet("bˈɜɹd") == "B ER D"
    assert to_ipa("həlˈO ʤˈI") == "həlˈoʊ dʒˈaɪ"


def test_phones_are_those_of_the_dictionary():
    known = {phone for ways in dictionary().values() for way in ways for phone in way.split()}
    assert len(known) == 39  # the CMU phone set
    assert set(ARPABET.values()) <= known


def test_the_dictionary_gives_every_way_to_say_a_word():
    assert pronunciations("The,") == ("DH AH", "DH IY")
    assert pronunciations("dog") == ("D AO G",)


@pytest.mark.parametrize("word", ["quokkas", "42", "mother-in-law", "Xanthippe’s", "half-past", "3rd"])
def test_an_unknown_word_is_read(word):
    (way,) = pronunciations(word)
    assert len(way.split()) >= 3


@pytest.mark.parametrize("word", ["—", "...", "", "'", "?!"])
def test_what_is_not_said_has_no_way(word):
    assert pronunciations(word) == ()


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("“Don’t!”", "don't"),
        ("'cause", "'cause"),
        ("'tis,'", "'tis"),
        ("STOP!!", "stop"),
        ("a–b", "a–b"),
        ("_so_", "so"),
    ],
)
def test_spelling(word, plain):
    assert spelling(word) == plain


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=20))
def test_spelling_twice_is_spelling_once(text):
    assert spelling(spelling(text)) == spelling(text)
