"""Search over a small lake that is only DuckDB, vectors, and encoders that look a query up in a table."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from sonolake.errors import InvalidInput, NotFound
from sonolake.lake import vectors
from sonolake.lake.vector_index import Index
from sonolake.lake.vector_rows import vector_id
from sonolake.lake.vectors import VectorStore
from sonolake.search import SCHEMA, Encoder, Encoders, Sound, search

ASSETS = {
    "bark": ("Bark in the yard", "dog_bark", "CC0-1.0"),
    "growl": ("Growl", "dog_growl", "CC-BY-4.0"),
    "meow": ("A dog? No, a cat", "cat_meow", "CC0-1.0"),
    "rain": ("Rain", "rain", "CC0-1.0"),
}
DIRECTIONS = {
    "a dog": {"labels": [1.0, 0.2], "text": [1.0, 0.0]},
    "a dog's sound": {"yamnet": [1.0, 0.1]},
}
LABELS = {"bark": [[-9, -9], [-1, -5]], "growl": [[-2, -5]], "meow": [[-6, -2]], "rain": [[-9, -9]]}
TEXT = {"bark": [[0.5, 0.5]], "meow": [[1, 0]], "rain": [[0, 1]]}
YAMNET = {"bark": [[0, 1], [1, 0]], "growl": [[1, 0.3]], "meow": [[0.2, 1]], "rain": [[-1, 0]]}


class SmallLake:
    def __init__(self, root):
        self.vectors = VectorStore(root / "vectors")
        self.con = duckdb.connect()
        rows = [(one, *facts) for one, facts in ASSETS.items()]
        self.con.execute(
            "CREATE TABLE assets (asset_id VARCHAR, title VARCHAR, event VARCHAR, licence VARCHAR, "
            "kind VARCHAR DEFAULT 'take', item VARCHAR, source_id VARCHAR)"
        )
        self.con.executemany("INSERT INTO assets (asset_id, title, event, licence) VALUES (?, ?, ?, ?)", rows)

    def sql(self, query):
        return self.con.execute(query).to_arrow_table()

    def embed(self, space, vectors, weights="w", hop=0.48):
        flat = [(one, n, v) for one, found in vectors.items() for n, v in enumerate(found)]
        timed = space != "text"
        rows = {
            "vector_id": [vector_id(one, n) for one, n, _ in flat],
            "asset_id": [one for one, _, _ in flat],
            "start_s": [n * hop if timed else None for _, n, _ in flat],
            "end_s": [n * hop + 0.96 if timed else None for _, n, _ in flat],
            "model": [space] * len(flat),
            "weights_sha256": [weights] * len(flat),
            "vector": pa.array([[float(x) for x in v] for _, _, v in flat], pa.list_(pa.float32())),
        }
        self.vectors.write(space, pa.table(rows))


def encoder(name, space, lookup):
    return Encoder(name, space, "w", lambda query: np.array([DIRECTIONS[lookup(query)][space]], np.float32))


ENCODERS = Encoders(
    words=(encoder("labels", "labels", str), encoder("text", "text", str)),
    sounds=(encoder("sound", "yamnet", lambda sound: "a dog's sound"),),
)
DOG = Sound(np.zeros(4), 16_000)


@pytest.fixture
def lake(tmp_path):
    lake = SmallLake(tmp_path)
    for space, found in (("labels", LABELS), ("text", TEXT), ("yamnet", YAMNET)):
        lake.embed(space, found)
    return lake


def found(table):
    return table["asset_id"].to_pylist()


def test_words_are_fused_from_labels_and_titles(lake):
    # labels: bark -2.0, growl -3.0, meow -6.4, rain -10.8; text by cosine: meow 1, bark .71, rain 0
    answer = search(lake, "a dog", encoders=ENCODERS)
    assert answer.schema == SCHEMA
    assert found(answer) == ["bark", "meow", "rain", "growl"]
    scores = [1 / 61 + 1 / 62, 1 / 63 + 1 / 61, 1 / 64 + 1 / 63, 1 / 62]
    assert answer["score"].to_pylist() == pytest.approx(scores)
    first = answer.to_pylist()[0]
    assert (first["rank"], first["title"], first["licence"]) == (1, "Bark in the yard", "CC0-1.0")
    assert [(f["query"], f["rank"]) for f in first["found_by"]] == [("labels", 1), ("text", 2)]
    assert first["found_by"][0]["distance"] == pytest.approx(1 + 2.0)
    assert (first["start_s"], first["end_s"]) == pytest.approx((0.48, 1.44))


def test_every_answer_says_how_each_space_was_searched(lake, monkeypatch):
    answer = search(lake, "a dog", like=DOG, encoders=ENCODERS)
    said = ["labels: exact over 5 vectors", "text: exact over 3 vectors", "yamnet: exact over 5 vectors"]
    assert answer.schema.metadata[b"searched"].decode().splitlines() == said
    index = Index("0123456789ab", 4, 1, 1, 0.97, 0.96, 4)
    monkeypatch.setattr(vectors, "index_of", lambda table: index)
    answer = search(lake, like=DOG, k=1, encoders=ENCODERS)
    assert answer.schema.metadata[b"searched"].decode() == (
        "yamnet: index 01234567 over 4 vectors, 1 later ones compared exactly; "
        "recall@10 0.970, 0.960 under a filter of 1 %"
    )


def test_a_sound_is_compared_by_its_nearest_window(lake):
    answer = search(lake, like=DOG, encoders=ENCODERS)
    assert found(answer) == ["bark", "growl", "meow", "rain"]
    assert answer["start_s"].to_pylist() == pytest.approx([0.48, 0, 0, 0])


def test_words_and_a_sound_together(lake):
    answer = search(lake, "a dog", like=DOG, encoders=ENCODERS)
    assert found(answer)[0] == "bark"
    assert [f["query"] for f in answer["found_by"][0].as_py()] == ["labels", "text", "sound"]


def test_filters_come_first_so_that_k_is_filled(lake):
    answer = search(
        lake, like=DOG, where="licence = 'CC0-1.0' AND event <> 'dog_bark' -- no dogs", k=2, encoders=ENCODERS
    )
    assert found(answer) == ["meow", "rain"]
    assert search(lake, "a dog", where="false", encoders=ENCODERS).num_rows == 0


def test_vectors_of_no_asset_are_never_found(lake):
    lake.embed("yamnet", {f"orphan{n:03}": [[1, 0.1]] for n in range(500)})
    assert found(search(lake, like=DOG, k=2, encoders=ENCODERS)) == ["bark", "growl"]


def test_one_long_asset_does_not_crowd_out_the_others(lake):
    lake.embed("yamnet", {"bark": [[1, 0.1]] * 600})
    assert found(search(lake, like=DOG, k=4, encoders=ENCODERS)) == ["bark", "growl", "meow", "rain"]


def test_vectors_of_other_weights_are_not_compared(lake):
    lake.embed("yamnet", {"rain": [[1, 0.1]], "bark": [[0, 1], [1, 0]]}, weights="older")
    assert "rain" not in found(search(lake, like=DOG, encoders=ENCODERS))
    assert "bark" not in found(search(lake, like=DOG, encoders=ENCODERS))


def test_what_is_not_embedded_is_left_out_or_said(tmp_path):
    lake = SmallLake(tmp_path)
    with pytest.raises(NotFound, match=r"spaces there: none.*embed"):
        search(lake, "a dog", encoders=ENCODERS)
    lake.embed("labels", LABELS)
    assert found(search(lake, "a dog", encoders=ENCODERS)) == ["bark", "growl", "meow", "rain"]
    with pytest.raises(NotFound, match=r"'yamnet'.*spaces there: labels"):
        search(lake, like=DOG, encoders=ENCODERS)


def test_where_nothing_can_be_embedded_nothing_is_advised(tmp_path):
    lake = SmallLake(tmp_path)
    lake.con.execute("UPDATE assets SET kind = 'response'")
    with pytest.raises(NotFound, match="no sound to search") as raised:
        search(lake, "a dog", encoders=ENCODERS)
    assert "embed" not in str(raised.value)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("license = 'CC0-1.0'", r"columns of assets \(asset_id, title, event, licence, kind, .*license"),
        ("licence = ", "syntax error"),
        ("true); DROP TABLE assets; SELECT (1", "one condition"),
        ("", "syntax error"),
    ],
)
def test_a_bad_condition_is_refused_with_the_columns_there_are(lake, where, message):
    with pytest.raises(InvalidInput, match=message):
        search(lake, "a dog", where=where, encoders=ENCODERS)
    assert lake.sql("SELECT count(*) FROM assets")[0][0].as_py() == len(ASSETS)


@pytest.mark.parametrize(
    ("asked", "message"),
    [({}, "text, a sound"), ({"text": "  "}, "words"), ({"text": "a dog", "k": 0}, "from 1")],
)
def test_a_query_that_asks_nothing_is_refused(lake, asked, message):
    with pytest.raises(InvalidInput, match=message):
        search(lake, **asked, encoders=ENCODERS)


def test_a_missing_file_is_said(lake, tmp_path):
    with pytest.raises(NotFound, match=r"dog\.wav"):
        search(lake, like=tmp_path / "dog.wav", encoders=ENCODERS)
