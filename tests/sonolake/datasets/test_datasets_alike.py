"""Sounds of different splits that are alike are told by a proof of the release."""

import hashlib

import numpy as np
import pyarrow as pa
import pytest

from sonolake import Lake
from sonolake.audio.fingerprint import fingerprint
from sonolake.audio.near_pairs import near_pairs
from sonolake.datasets.alike import PROOF, TABLE, near_duplicates
from sonolake.releases import Config, Content, build, prove

RATE = 16_000
SPLITS = {"a": "train", "alike": "test", "alike, too": "train", "other": "test"}


def bursts(seed):
    """Two seconds of tones that come and go, of which no two seeds are alike."""
    rng = np.random.default_rng(seed)
    t = np.arange(2 * RATE) / RATE
    tones = [
        np.sin(2 * np.pi * hz * t) * (t > at)
        for hz, at in zip(rng.uniform(150, 3000, 6), rng.uniform(0, 1.5, 6), strict=True)
    ]
    return sum(tones) * np.abs(np.sin(np.pi * rng.uniform(1, 5) * t)) + 0.05 * rng.standard_normal(len(t))


@pytest.fixture(scope="module")
def prints():
    """Of a sound, of two in which something else is heard with it, and of another one."""
    sound, other = bursts(1), bursts(2)
    rng = np.random.default_rng(3)
    mixed = [sound + 0.1 * rng.standard_normal(len(sound)) for _ in range(2)]
    return {name: fingerprint(x, RATE) for name, x in zip(SPLITS, (sound, *mixed, other), strict=True)}


def test_pairs_of_other_groups_are_found_and_no_others(prints):
    pairs = near_pairs(prints | {"silent": ""}, {name: [split] for name, split in SPLITS.items()})
    assert [pair[:2] for pair in pairs] == [("a", "alike"), ("alike", "alike, too")]
    assert near_pairs(prints, {name: ["train"] for name in SPLITS}) == []
    assert ("a", "alike, too") in {
        p[:2] for p in near_pairs(prints, {name: SPLITS.values() for name in SPLITS})
    }


def asset(name):
    return hashlib.sha256(name.encode()).hexdigest()


def test_a_release_counts_them_by_its_own_lineage(prints, tmp_path):
    """A row of the table whose sounds are in one split counts for nothing."""
    rows = {"item_id": [f"item of {name}" for name in SPLITS], "licence": ["CC0-1.0"] * 4}
    split = pa.array(SPLITS.values())
    splits = {
        one: pa.table(rows).filter(pa.array([s == one for s in split.to_pylist()]))
        for one in ("train", "test")
    }
    config = Config("notes", "notes", "Made-up notes.", splits, dict.fromkeys(rows, "as its name says"))
    edges = [{"child": f"item of {name}", "parent": asset(name), "role": "take"} for name in SPLITS]
    lineage = pa.Table.from_pylist(edges)
    source = {"title": "A sound", "author": "Ann", "licence": "CC0-1.0", "licence_url": "", "source_url": ""}
    sources = pa.Table.from_pylist(
        [
            {
                "asset_id": asset(name),
                "source_id": f"lib:{name}",
                **source,
                "changes": "cut",
                "synthetic": True,
            }
            for name in SPLITS
        ]
    )
    with Lake.create(tmp_path / "lake") as lake:
        lake.table("assets").append(
            [
                {
                    "asset_id": asset(name),
                    "kind": "take",
                    "item": name,
                    "licence": "CC0-1.0",
                    "fingerprint": text,
                }
                for name, text in prints.items()
            ]
        )
        files, proofs = near_duplicates(lake, lake.snapshot, [config], sources, lineage)
    (line,) = [line for line in files[TABLE].decode().splitlines() if asset("a") in line]
    assert asset("alike") in line
    beside = f"{asset('a')},{asset('alike, too')},0.900\n".encode()
    content = Content(
        "notes", "1.0.0", "2026-11-01", "Notes", "Made up.", "CC0-1.0", (config,), sources, lineage,
        benchmark={TABLE: files[TABLE] + beside}, proofs=proofs,
    )  # fmt: skip
    build(content, {}.__getitem__, tmp_path / "release")
    (result,) = [one for one in prove(tmp_path / "release") if one.proof.id == PROOF]
    assert result.outcome == "holds" and result.proof.policy == "report"
    pairs = [row[result.answer.columns.index("pairs")] for row in result.answer.rows]
    assert sum(map(int, pairs)) == len(files[TABLE].splitlines()) - 1 == 2
