"""Files of a vector space that are cut, emptied, gone or overwritten: one clear error, whatever is asked."""

import numpy as np
import pyarrow as pa
import pytest

from sonolake.errors import Damaged
from sonolake.lake.vectors import VectorStore

DAMAGES = {
    "cut": lambda file: file.write_bytes(file.read_bytes()[:100]),
    "emptied": lambda file: file.write_bytes(b""),
    "gone": lambda file: file.unlink(),
    "overwritten": lambda file: file.write_bytes(b"x" * file.stat().st_size),
}
QUESTIONS = {
    "search": lambda store: store.search("yamnet", np.ones(4), 3),
    "read": lambda store: store.read("yamnet", ["a"]),
    "ids": lambda store: store.ids("yamnet"),
}


@pytest.fixture
def written(tmp_path):
    rows = {
        "vector_id": ["a#0", "b#0"], "asset_id": ["a", "b"], "model": ["m", "m"], "weights_sha256": ["w", "w"],
        "vector": [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
    }  # fmt: skip
    VectorStore(tmp_path).write("yamnet", pa.table(rows))
    return tmp_path


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("question", QUESTIONS)
def test_data_that_cannot_be_read_is_said_with_what_to_do(written, damage, question):
    for file in (written / "yamnet.lance" / "data").iterdir():
        DAMAGES[damage](file)
    with pytest.raises(Damaged, match=r"yamnet\.lance cannot be read .*python -m flows embed"):
        QUESTIONS[question](VectorStore(written))


@pytest.mark.parametrize("damage", ["cut", "emptied", "overwritten"])
def test_a_manifest_that_cannot_be_read_is_said_too(written, damage):
    for file in (written / "yamnet.lance" / "_versions").iterdir():
        file.write_bytes(file.read_bytes()[:9]) if damage == "cut" else DAMAGES[damage](file)
    with pytest.raises(Damaged, match=r"yamnet\.lance cannot be read"):
        VectorStore(written).count("yamnet")
