import dataclasses
import re
import shutil

import duckdb
import pyarrow as pa
import pytest

from sonolake.errors import Damaged, LimitReached, Refused
from sonolake.releases import build, prove
from sonolake.releases.answers import Answer
from sonolake.releases.proof import parse_proof
from sonolake.releases.proving import read_proofs, run_proof


def extended(table, *rows):
    return pa.concat_tables([table, pa.Table.from_pylist(list(rows), table.schema)])


def edge(child, parent, role):
    return {"child": child, "parent": parent, "role": role}


def with_rows(content, index, split, **changed):
    """``content`` with the first row of a split changed."""
    config = content.configs[index]
    rows = config.splits[split].to_pylist()
    rows[0] |= changed
    splits = {**config.splits, split: pa.Table.from_pylist(rows, config.schema)}
    configs = list(content.configs)
    configs[index] = dataclasses.replace(config, splits=splits)
    return dataclasses.replace(content, configs=tuple(configs))


def source(content, asset, source_id, licence="CC0-1.0"):
    row = content.sources.to_pylist()[0] | {"asset_id": asset, "source_id": source_id, "licence": licence}
    return dataclasses.replace(content, sources=extended(content.sources, row))


def test_all_proofs_of_a_right_release_hold(release):
    results = prove(release)
    assert {r.outcome for r in results} == {"holds"}
    assert {
        "split-take",
        "split-source",
        "split-template",
        "split-room",
        "counts-card",
        "files",
        "licences",
        "counts-items",
        "figures",
    } <= {r.proof.id for r in results}
    assert all(r.proof.meaning.endswith(".") for r in results)
    assert all((r.proof.policy == "report") is (r.answer is not None) for r in results)


@pytest.mark.parametrize("role", ["take", "template", "room"])
def test_what_straddles_splits_stops_the_publish(content, store, tmp_path, role):
    shared = extended(
        content.lineage,
        edge("scene-train-000", "shared-thing", role),
        edge("clip-validation-000", "shared-thing", role),
    )
    straddling = source(dataclasses.replace(content, lineage=shared), "shared-thing", "lib:1")
    with pytest.raises(Refused, match=rf"split-{role}: 1 rows(.|\n)*shared-thing(.|\n)*train"):
        build(straddling, store.__getitem__, tmp_path / "r")
    assert list(tmp_path.iterdir()) == []


def with_speakers(content, *names_of_configs):
    """``content`` with who speaks, by item, in its configs."""
    configs = []
    for config, names in zip(content.configs, names_of_configs, strict=True):
        splits = {
            split: table.append_column(
                "speaker", pa.array(map(names.get, table["item_id"].to_pylist()), pa.string())
            )
            for split, table in config.splits.items()
        }
        configs.append(
            dataclasses.replace(config, splits=splits, meanings={**config.meanings, "speaker": "who"})
        )
    return dataclasses.replace(content, configs=tuple(configs))


def test_a_speaker_in_two_splits_stops_the_publish_whatever_tables_the_items_are_in(content, store, tmp_path):
    heard = with_speakers(content, {"scene-train-000": "p225"}, {"clip-validation-000": "p225"})
    with pytest.raises(Refused, match=r"split-speaker: 1 rows(.|\n)*p225(.|\n)*train(.|\n)*validation"):
        build(heard, store.__getitem__, tmp_path / "r")


def test_speakers_are_counted_and_those_whom_nobody_knows_tie_nothing(content, store, tmp_path):
    scenes = {
        "scene-train-000": "p1",
        "scene-train-001": "p2",
        "scene-train-002": "Unknown",
        "scene-test-000": "unknown",
    }
    build(with_speakers(content, scenes, {"clip-train-000": "p1"}), store.__getitem__, tmp_path / "r")
    results = {r.proof.id: r for r in prove(tmp_path / "r")}
    assert results["split-speaker"].outcome == "holds"
    columns = ("config", "split", "items", "speakers", "unknown")
    assert results["speakers"].answer == Answer(
        columns,
        (
            ("cares", "test", "2", "0", "2"),
            ("cares", "train", "6", "2", "4"),
            ("cares", "validation", "2", "0", "2"),
            ("rms-aqa", "train", "2", "1", "1"),
            ("rms-aqa", "validation", "1", "0", "1"),
        ),
    )
    shutil.rmtree(tmp_path / "r/data/rms-aqa")
    assert {r.proof.id: r.outcome for r in prove(tmp_path / "r")}["split-speaker"] == "not run"


def test_a_take_behind_something_else_is_found(content, store, tmp_path):
    lineage = extended(
        content.lineage,
        edge("scene-train-000", "scenario-1", "scenario"),
        edge("scenario-1", "deep-take", "take"),
        edge("scene-test-000", "deep-take", "take"),
    )
    deep = source(dataclasses.replace(content, lineage=lineage), "deep-take", "lib:1")
    with pytest.raises(Refused, match="split-take"):
        build(deep, store.__getitem__, tmp_path / "r")


def test_one_source_under_two_assets_is_found(content, store, tmp_path):
    lineage = extended(
        content.lineage, edge("scene-train-000", "one", "take"), edge("scene-test-000", "two", "ambience")
    )
    twice = source(source(dataclasses.replace(content, lineage=lineage), "one", "lib:9"), "two", "lib:9")
    with pytest.raises(Refused, match=r"split-source: 1 rows(.|\n)*lib:9"):
        build(twice, store.__getitem__, tmp_path / "r")


@pytest.mark.parametrize("licence", ["LicenseRef-unclear", "CC-BY-ND-4.0", None])
def test_what_may_not_be_released_stops_the_publish(content, store, tmp_path, licence):
    with pytest.raises(Refused, match=r"licences: 1 rows(.|\n)*scene-test-000"):
        build(with_rows(content, 0, "test", licence=licence), store.__getitem__, tmp_path / "r")


@pytest.mark.parametrize(
    ("part", "whole", "right"),
    [
        ("CC-BY-NC-4.0", "CC-BY-4.0", False),
        ("CC-BY-4.0", "CC0-1.0", False),
        ("CC-BY-SA-4.0", "CC-BY-4.0", False),
        ("CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", True),
        ("CC-BY-4.0", "CC-BY-4.0", True),
        ("CC-BY-SA-4.0", "CC-BY-NC-SA-4.0", False),
        ("CC-BY-4.0", "MIT", False),
        ("CC-BY-4.0", "CC-BY-3.0", False),
        ("CC-BY-3.0", "CC-BY-4.0", True),
        ("LicenseRef-Sampling-Plus-1.0", "CC0-1.0", False),
        ("MIT", "CC0-1.0", False),
        ("CC0-1.0", "MIT", True),
        ("MIT", "CC-BY-4.0", True),
    ],
)
def test_an_item_is_not_freer_than_its_parts(content, store, tmp_path, part, whole, right):
    lineage = extended(content.lineage, edge("scene-test-000", "part", "take"))
    made = source(dataclasses.replace(content, lineage=lineage), "part", "lib:9", part)
    made = with_rows(made, 0, "test", licence=whole)
    if right:
        assert build(made, store.__getitem__, tmp_path / "r").outcome == "published"
    else:
        with pytest.raises(Refused, match="licences-follow"):
            build(made, store.__getitem__, tmp_path / "r")


def test_a_sound_without_attribution_stops_the_publish(content, store, tmp_path):
    lineage = extended(content.lineage, edge("scene-test-000", "nobody's", "take"))
    with pytest.raises(Refused, match="attributed"):
        build(dataclasses.replace(content, lineage=lineage), store.__getitem__, tmp_path / "r")


def test_a_broken_rule_of_the_mix_stops_the_publish(content, store, tmp_path):
    events = [{"event": "x", "reaction": "pivot", "onset_s": 0.0, "violates": "pivot in the last third"}]
    with pytest.raises(Refused, match=r"rules-cares(.|\n)*pivot in the last third"):
        build(with_rows(content, 0, "test", events=events), store.__getitem__, tmp_path / "r")


def failing(folder):
    return {r.proof.id for r in prove(folder) if r.outcome == "fails"}


def test_a_card_that_counts_wrong_is_found(release):
    card = (release / "README.md").read_text()
    (release / "README.md").write_text(card.replace("| `cares` | train | 6 |", "| `cares` | train | 7 |"))
    assert failing(release) == {"counts-card", "figures"}


def test_a_card_that_leaves_a_split_out_is_found(release):
    lines = (release / "README.md").read_text().splitlines(keepends=True)
    (release / "README.md").write_text("".join(x for x in lines if not x.startswith("| `cares` | test")))
    assert failing(release) == {"counts-card", "files"}


def test_a_lost_shard_is_found(release):
    (release / "data/cares/test-00000-of-00001.parquet").unlink()
    assert failing(release) == {"files"}  # what the charts were drawn from is not all there, and not run


def test_a_shard_with_other_rows_is_found(release):
    shutil.copy(
        release / "data/cares/train-00000-of-00001.parquet",
        release / "data/cares/test-00000-of-00001.parquet",
    )
    assert failing(release) == {"counts-shards", "files", "values-cares"}


def test_voices_in_common_are_reported_not_refused(content, store, tmp_path):
    lineage = extended(
        content.lineage,
        *(edge(f"scene-{s}-000", "voice:joe", "voice") for s in ("train", "test")),
        edge("scene-train-001", "voice:ann", "voice"),
    )
    one = content.sources.to_pylist()[0]
    makers = [{**one, "asset_id": name, "source_id": name} for name in ("voice:joe", "voice:ann")]
    sources = extended(content.sources, *makers)
    told = dataclasses.replace(content, lineage=lineage, sources=sources)
    build(told, store.__getitem__, tmp_path / "r")
    voices = next(r for r in prove(tmp_path / "r") if r.proof.id == "voices")
    assert (voices.proof.policy, voices.proof.expected, voices.rows) == ("report", 1, 1)
    assert "voice:joe" in voices.shown[0]


def test_plain_duckdb_runs_them_in_the_folder(release, monkeypatch):
    monkeypatch.chdir(release)
    for proof in read_proofs(release):
        with duckdb.connect() as link:
            answer = link.execute(proof.sql)
            columns = [d[0] for d in answer.description]
            found = Answer.of(columns, answer.fetchall())
            assert found == proof.answer if proof.answer else found.rows == (), proof.id


@pytest.mark.parametrize(
    "name", ["it's a [new] folder?", "key=value *", "ünï 音", "back\\slash", 'a "quote"', "\\"]
)
def test_any_folder_will_do(release, tmp_path, name):
    moved = tmp_path / name / "0.1.0"
    moved.parent.mkdir()
    release.rename(moved)
    assert {r.outcome for r in prove(moved)} == {"holds"}


def test_sentences_in_common_are_reported(content, store, tmp_path):
    turns = pa.list_(pa.struct([("speaker", pa.string()), ("text", pa.string())]))
    said = {
        "train": ["Well, hello. It is 3.5 degrees! One.", "你好。好！"],
        "validation": ["well, hello. ", "It is 3.5"],
        "test": ["Two... It is 3.5 degrees!", "好！"],
    }
    cares = content.configs[0]
    splits = {}
    for split, table in cares.splits.items():
        spoken = [[{"speaker": "A", "text": t} for t in said[split]]] * table.num_rows
        splits[split] = table.append_column("turns", pa.array(spoken, turns))
    talking = dataclasses.replace(cares, splits=splits, meanings={**cares.meanings, "turns": "who says what"})
    build(
        dataclasses.replace(content, configs=(talking, content.configs[1])), store.__getitem__, tmp_path / "r"
    )
    found = next(r for r in prove(tmp_path / "r") if r.proof.id == "sentences-cares")
    assert (found.rows, found.outcome) == (3, "holds")
    assert found.shown == (
        "sentence it is 3.5 degrees!, splits ['test', 'train']",
        "sentence well, hello., splits ['train', 'validation']",
        "sentence 好！, splits ['test', 'train']",
    )


PROOF = "-- id: x\n-- policy: must\n-- meaning: X.\n-- expected: 0 rows\n"


@pytest.mark.parametrize(
    "sql",
    [
        "FROM read_text('/etc/hostname')",
        "COPY (SELECT 1) TO 'x.csv'",
        "SET threads = 1; SELECT 1",
        "INSTALL httpfs; SELECT 1",
        "ATTACH 'x.db'; SELECT 1",
        "CREATE TABLE t(i INT); SELECT 1",
        "SELECT * FROM no_such_table",
        "",
    ],
)
def test_a_hostile_or_broken_proof_does_nothing(release, sql):
    before = sorted(p.name for p in release.rglob("*"))
    with pytest.raises(Damaged, match="proof x"):
        run_proof(release, parse_proof(PROOF + sql, "x.sql"))
    assert sorted(p.name for p in release.rglob("*")) == before


def test_a_source_of_very_many_items_is_read(release, tmp_path):
    """Its row of the attribution has 5 MB: some 200,000 items."""
    folder = tmp_path / "copy"
    shutil.copytree(release, folder)
    path = folder / "ATTRIBUTION.csv"
    head, first, *others = path.read_text().splitlines()
    path.write_text("\n".join([head, f"{first} {'scene-0123456789abcdefghij ' * 200_000}", *others, ""]))
    proofs = [proof for proof in read_proofs(folder) if "ATTRIBUTION.csv'" in proof.sql]
    assert len(proofs) >= 5 and all(run_proof(folder, proof).outcome == "holds" for proof in proofs)


def test_a_proof_that_needs_more_memory_does_not_say_that_the_release_is_damaged(release):
    much = parse_proof(PROOF + "SELECT list(range) FROM range(100_000_000)", "x.sql")
    with pytest.raises(LimitReached, match=r"proof x needs more memory than it may use \(192MiB\)"):
        run_proof(release, much)


@pytest.mark.parametrize("line", ["id: x", "policy: must", "meaning: X.", "expected: 0 rows"])
def test_a_proof_says_what_it_is(line):
    with pytest.raises(Damaged, match="needs id, policy"):
        parse_proof(re.sub(f"-- {line}\n", "", PROOF) + "SELECT 1", "x.sql")


def test_the_same_sound_in_two_splits_stops_the_publish(content, store, tmp_path):
    there = content.configs[0].splits["train"]["audio_asset"][0].as_py()
    with pytest.raises(Refused, match=r"split-sound: 1 rows(.|\n)*scene-test-000"):
        build(with_rows(content, 0, "test", audio_asset=there), store.__getitem__, tmp_path / "r")
