"""Validation: are the reactions that were asked for in the dialogues, and does nothing but the words tell them?"""

from sonolake.cares.validation.agreement import Recovered, recovered
from sonolake.cares.validation.facts import Facts, facts_of, report
from sonolake.cares.validation.gathering import of_row, of_timeline
from sonolake.cares.validation.judges import Judge, Reading
from sonolake.cares.validation.kit import Ratings, agreement, kit_page, read_ratings
from sonolake.cares.validation.rated import MarkedSound, RatedScene, Transcript
from sonolake.cares.validation.readings import read_all
from sonolake.cares.validation.rule_judge import RuleJudge
from sonolake.cares.validation.shortcuts import Shortcut, shortcut
from sonolake.cares.validation.topic_pairs import topic_pairs
from sonolake.cares.validation.topics import Threshold, calibrate, cosines, identified
from sonolake.cares.validation.words import (
    HeardWords,
    against_voices,
    hear_all,
    heard_words,
    read_transcripts,
)
from sonolake.scoring.kappa import Kappa, cohen, fleiss
from sonolake.scoring.raters import RaterAgreement

__all__ = [
    "Facts",
    "HeardWords",
    "Judge",
    "Kappa",
    "MarkedSound",
    "RatedScene",
    "RaterAgreement",
    "Ratings",
    "Reading",
    "Recovered",
    "RuleJudge",
    "Shortcut",
    "Threshold",
    "Transcript",
    "against_voices",
    "agreement",
    "calibrate",
    "cohen",
    "cosines",
    "facts_of",
    "fleiss",
    "hear_all",
    "heard_words",
    "identified",
    "kit_page",
    "of_row",
    "of_timeline",
    "read_all",
    "read_ratings",
    "read_transcripts",
    "recovered",
    "report",
    "shortcut",
    "topic_pairs",
]
