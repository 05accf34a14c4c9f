"""Splits that never leak: an append-only ledger and the pure function that extends it.

``assign(kind, members, ledger, quotas)`` answers with rows to append. It depends on the ledger so far and on
the set of newcomers, not on their order or on who computed it. Items that share a key (source, samples, near
fingerprint, pack) form a group; a group has one split; nobody ever moves.
"""

from sonolake.splits.assign import assign, shortages
from sonolake.splits.groups import Cluster, Place, close_groups, near_key, with_near
from sonolake.splits.quotas import (
    ASSETS,
    RECORDED_ROOMS,
    SIMULATED_ROOMS,
    SPLITS,
    TEMPLATES,
    Quotas,
    quotas_for,
)
from sonolake.splits.records import (
    TEST,
    TIES_TWO_PARTITIONS,
    TRAIN,
    VALIDATION,
    Assignment,
    LedgerRow,
    Member,
    SetAside,
    Short,
)
from sonolake.splits.speakers import NAMELESS, known_speaker, speaker_key
from sonolake.splits.table import SCHEMA, from_table, to_table

__all__ = [
    "ASSETS",
    "NAMELESS",
    "RECORDED_ROOMS",
    "SCHEMA",
    "SIMULATED_ROOMS",
    "SPLITS",
    "TEMPLATES",
    "TEST",
    "TIES_TWO_PARTITIONS",
    "TRAIN",
    "VALIDATION",
    "Assignment",
    "Cluster",
    "LedgerRow",
    "Member",
    "Place",
    "Quotas",
    "SetAside",
    "Short",
    "assign",
    "close_groups",
    "from_table",
    "known_speaker",
    "near_key",
    "quotas_for",
    "shortages",
    "speaker_key",
    "to_table",
    "with_near",
]
