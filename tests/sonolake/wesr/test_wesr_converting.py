"""Tags of corpora in the taxonomy: every table, every form, everything that leaves an utterance out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonolake.errors import InvalidInput
from sonolake.wesr.corpora.converting import Choices, convert
from sonolake.wesr.corpora.tables import CORPORA, DROP, STRIP, corpus_of
from sonolake.wesr.tagged import parse
from sonolake.wesr.taxonomy import BY_NAME, folded

TABLE_9 = {
    "nvspeech-170k": "Breathing, Laughter, Confirmation-en, Uhm, Sigh, Surprise-ah, Surprise-oh, Dissatisfaction-hnn, "
    "Surprise-wa, Question-yi, Question-ei, Cough, Question-ah, Question-oh, Surprise-yo, Question-en, Shh, Crying",
    "nonverbaltts": "breath, grunt, sniff, throat clearing, groan, sigh, snore, cough, laugh, sneeze",
    "nonverbalspeech-38k": "snore, throatclearing, crying, breath, sniff, laughing, coughing, gasp, yawn, sigh",
    "smiip-nv": "Laughter, crying, cough",
    "synparaspeech": "Sigh, throat clearing, laugh, pause, tsk, gasp",
    "mnv-17": "Sneezing, Clapping, Hissing, Whistling, Clearing Throat, Coughing, Lip Smacking, Exhaling, Moaning, "
    "Panting, Sniffling, Humming, Laughing, Applauding, Inhaling, Chuckling, Sighing",
}
"""WESR, table 9."""
MNV_FILE = (
    "sneeze sigh chuckle ahem hum applaud clap exhale sniffle inhale laugh moan smack pant cough hiss whistle"
)
"""The short names in MNV-17's test file."""


@pytest.mark.parametrize("name", TABLE_9)
def test_every_tag_of_a_corpus_is_in_its_table(name):
    assert [t for t in TABLE_9[name].split(", ") if folded(t.strip()) not in corpus_of(name).tags] == []


def test_the_short_names_of_mnv_17_are_known():
    assert [t for t in MNV_FILE.split() if t not in corpus_of("mnv-17").tags] == []


def test_tables_lead_to_discrete_tags():
    for corpus in CORPORA:
        targets = set(corpus.tags.values()) - {DROP, STRIP}
        assert all(BY_NAME[target].form == "discrete" for target in targets)
        assert [key for key in corpus.tags if folded(key) != key] == []
    with pytest.raises(InvalidInput, match="mnv-17"):
        corpus_of("audioset")


@pytest.mark.parametrize(
    ("corpus", "text", "converted"),
    [
        (
            "nonverbaltts",
            "Well \U0001f32c\ufe0f I think \U0001f923 so",
            "Well [breathing] I think [laughs] so",
        ),
        ("nonverbaltts", "\U0001f624\u200dNo \U0001f444.", "[sigh]No [clear_throat]."),
        ("nvspeech-170k", "好的[Laughter]，走吧[Cough]", "好的[laughs]，走吧[cough]"),
        ("nvspeech-170k", "哦(Sigh)好（OK）", "哦[sigh]好（OK）"),
        ("nonverbalspeech-38k", "他[laughing]大笑 <laughing> 再见", "他[laughs]大笑 [laughs] 再见"),
        ("nonverbalspeech-38k", "Oh [throatclearing] yes [Breath].", "Oh [clear_throat] yes [breathing]."),
        ("smiip-nv", "[crying] 为什么 [Laughter]", "[cry] 为什么 [laughs]"),
        ("synparaspeech", "你[pause]在结婚呢？[throatclearing][sigh]", "你在结婚呢？[clear_throat][sigh]"),
        ("synparaspeech", "so [pause] it is [pause]", "so it is"),
        ("mnv-17", "[ahem] 实际上，【Panting】是", "[clear_throat] 实际上，[breathing]是"),
        ("mnv-17", "no tags here", "no tags here"),
    ],
)
def test_tags_stay_where_they_stand(corpus, text, converted):
    made = convert(text, corpus_of(corpus))
    assert (made.text, made.reason) == (converted, "")
    assert parse(made.text).findings == ()


@pytest.mark.parametrize(
    ("corpus", "text", "reason", "named"),
    [
        ("nonverbaltts", "a \U0001f443 b \U0001f923", "dropped_tag", "\U0001f443"),
        ("nonverbaltts", "a \U0001f984 b", "unknown_tag", "\U0001f984"),
        ("nvspeech-170k", "啊[Surprise-ah]", "dropped_tag", "surprise_ah"),
        ("nonverbalspeech-38k", "[laughing]<B>仰天</B>大笑", "overlapping_event", "<B>"),
        ("synparaspeech", "在结婚呢？[tsk]", "dropped_tag", "tsk"),
        ("mnv-17", "[giggling] 是", "unknown_tag", "giggling"),
        ("mnv-17", "[laugh 是", "broken_text", "broken_bracket"),
    ],
)
def test_what_leaves_an_utterance_out(corpus, text, reason, named):
    made = convert(text, corpus_of(corpus))
    assert (made.text, made.reason) == ("", reason)
    assert named in made.detail


def test_tags_are_counted_with_what_becomes_of_them():
    made = convert("[sigh] a [pause] b [sigh] [gasp] [oops]", corpus_of("synparaspeech"))
    assert made.found == {("sigh", "sigh"): 2, ("pause", STRIP): 1, ("gasp", DROP): 1, ("oops", ""): 1}


def test_choices():
    text = "哦[Question-ei]好[Surprise-ah]"
    assert convert(text, corpus_of("nvspeech-170k"), Choices(interjections_as_words=True)).text == "哦诶好啊"
    assert (
        convert("a [gasp] b", corpus_of("synparaspeech"), Choices(gasp_as_inhale=True)).text == "a [inhale] b"
    )


@given(st.text(alphabet="ab 你[]<>()/B\U0001f923\ufe0f\ue000", max_size=30), st.sampled_from(CORPORA))
def test_any_text_is_converted_or_left_out_with_a_reason(text, corpus):
    made = convert(text, corpus)
    assert bool(made.reason) == bool(made.detail)
    assert not (made.reason and made.text)
    assert parse(made.text).findings == ()
