"""Words in transcripts: BM25 by hand, and what a word is."""

import math

import pytest

from sonolake.wesr.wordsearch import WordSearch, words_of

TEXTS = {"u1": "he laughs and laughs", "u2": "a dry cough", "u3": "nobody laughs here at all today"}


def search(queries, texts=TEXTS):
    made = WordSearch(queries)
    for name, text in texts.items():
        made.read(name, text)
    return made


def test_scores_are_those_of_the_formula():
    found = search({"q": "someone laughs"}).ranked("q", 10)
    # 3 texts of 4, 3 and 6 words, 13/3 on average; "laughs" is in 2: ln(1 + 1.5 / 2.5); k1 = 1.2, b = 0.75.
    rarity = math.log(1 + 1.5 / 2.5)
    one = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 * 3 / 13))
    three = rarity * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 6 * 3 / 13))
    assert [name for name, _ in found] == ["u1", "u3"]
    assert [score for _, score in found] == pytest.approx([one, three])


def test_a_text_without_a_word_of_the_query_is_not_found_and_common_words_find_nothing():
    made = search({"none": "thunder", "common": "someone is at a sound"}, TEXTS | {"u4": "at a sound"})
    assert made.ranked("none", 10) == [] and made.ranked("common", 10) == []


def test_a_text_must_say_most_of_the_query():
    texts = {"u1": "a dry day", "u2": "he has a cough", "u3": "a dry cough", "u4": "nothing"}
    # Both words are in two of four texts: half of the query is enough, and the dry day has half as well.
    assert [name for name, _ in search({"q": "a dry cough"}, texts).ranked("q", 5)] == ["u3", "u1", "u2"]
    # "cough" is rarer now, so that "dry" alone is less than half.
    assert search({"q": "a dry cough"}, {"u1": "a dry day", "u4": "nothing"}).ranked("q", 5) == []


def test_number_and_tense_do_not_matter():
    texts = {"u1": "he coughed", "u2": "a cough", "u3": "she sneezes", "u4": "the sing song"}
    made = search({"q": "coughing", "r": "a sneeze", "s": "singing"}, texts)
    assert [name for name, _ in made.ranked("q", 5)] == ["u1", "u2"]
    assert [name for name, _ in made.ranked("r", 5)] == ["u3"]
    assert [name for name, _ in made.ranked("s", 5)] == ["u4"]


def test_equals_go_by_name_and_there_are_no_more_than_asked():
    texts = dict.fromkeys(("c", "a", "b"), "a cough") | {"d": "silence"}
    assert [name for name, _ in search({"q": "cough"}, texts).ranked("q", 2)] == ["a", "b"]


def test_a_chinese_character_is_a_word_and_width_and_case_do_not_matter():
    assert words_of("他笑了，ＯＫ! It's FINE") == ["他", "笑", "了", "ok", "it's", "fine"]
    assert [name for name, _ in search({"q": "笑"}, {"u": "他大笑", "v": "他哭"}).ranked("q", 5)] == ["u"]
