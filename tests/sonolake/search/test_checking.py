"""The trial of encoders: what is whole and ranks as well as the packaged models passes, what does not is refused."""

import json
import shlex
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from sonolake.cli.app import app
from sonolake.errors import InvalidInput
from sonolake.models import get
from sonolake.search.checking import check_encoder, mean_average_precision
from sonolake.search.known_sounds import known_sounds

NOISE = '''
"""An encoder whose vectors have nothing to do with what it is given."""
import json, sys
import numpy as np, pyarrow as pa

what, out = sys.argv[1:]
if what == "describe":
    said = {"dim": 8, "sample_rate": 8000, "weights_sha256": "0" * 64, "name": "noise", "text": True}
    json.dump(said, open(out, "w"))
    sys.exit()
count = len(sys.stdin.readlines())
rows = np.random.default_rng(count).standard_normal((count, 8)).astype(np.float32)
table = pa.table({"vector": pa.array(list(rows), pa.list_(pa.float32()))})
with pa.OSFile(out, "wb") as sink, pa.ipc.new_stream(sink, table.schema) as stream:
    stream.write_table(table)
'''


@pytest.fixture(scope="module")
def sounds():
    """Six events, each with all its sounds."""
    events = (
        "shared/dog_bark",
        "rural/cow_moo",
        "rare_events/glass_break",
        "general/applause",
        "vocal/laughs",
    )
    return [one for one in known_sounds() if one.event in events]


class Wrapped:
    """YAMNet, with its vectors made into others."""

    spec = "wrapped"

    def __init__(self, change):
        self.model, self.change = get("yamnet"), change
        self.dim, self.window_s, self.hop_s = 1024, self.model.window_s, self.model.hop_s

    def encode(self, x, rate):
        return self.change(self.model.encode(x, rate))


def verdicts(model, sounds):
    return {trial.name: trial.passed for trial in check_encoder(model, sounds)}


def test_mean_average_precision_is_the_textbooks():
    # Manning, Raghavan and Schuetze 2008, section 8.4: relevant at ranks 1, 3 of 4 gives (1 + 2/3) / 2.
    scores = np.array([[0.9, 0.8, 0.7, 0.1], [0.1, 0.9, -np.inf, 0.2]])
    relevant = np.array([[True, False, True, False], [True, False, True, False]])
    # The second: its own sound is no candidate, the one that is left is last of three.
    assert mean_average_precision(scores, relevant) == pytest.approx(((1 + 2 / 3) / 2 + 1 / 3) / 2)
    equal = np.zeros((1, 4))
    assert mean_average_precision(equal, relevant[:1]) == pytest.approx((1 / 3 + 2 / 4) / 2), "last of equals"


def test_the_packaged_model_is_as_good_as_itself(sounds):
    trials = {trial.name: trial for trial in check_encoder(get("yamnet"), sounds)}
    assert all(trial.passed for trial in trials.values())
    assert trials["sounds by sounds"].found == trials["sounds by sounds"].default
    assert float(trials["sounds by sounds"].found) > 0.7


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (lambda v: np.ones_like(v), {"sounds by sounds"}),
        (lambda v: v[:, :10], {"shape", "sounds by sounds"}),
        (lambda v: np.where(np.arange(1024) < 3, np.nan, v), {"finite", "repeatable"}),
    ],
    ids=["all alike", "too short", "NaN"],
)
def test_what_is_broken_is_refused(sounds, change, refused):
    made = verdicts(Wrapped(change), sounds)
    assert refused <= {name for name, passed in made.items() if not passed}


def test_a_voice_is_no_encoder(sounds):
    with pytest.raises(InvalidInput, match="encoder: expected yamnet, beats:FILE"):
        check_encoder(get("minilm"), sounds)


def test_a_command_that_ranks_below_the_packaged_models_is_refused(tmp_path):
    script = tmp_path / "noise.py"
    script.write_text(NOISE)
    spec = f"exec:{shlex.join([sys.executable, str(script)])}"
    result = CliRunner().invoke(app, ["models", "check", spec, "--json"])
    assert result.exit_code == 1
    (said,) = json.loads(result.stdout)
    by_name = {trial["name"]: trial for trial in said["trials"]}
    assert (said["about"], said["weights_sha256"], said["passed"]) == ("noise", "0" * 64, False)
    assert by_name["shape"]["passed"] and not by_name["repeatable"]["passed"]
    for name in ("sounds by sounds", "sounds by words"):
        assert not by_name[name]["passed"]
        assert float(by_name[name]["found"]) < 0.3 < float(by_name[name]["default"])


def test_models_lists_what_the_user_can_bring():
    result = CliRunner().invoke(app, ["models", "--no-hashes", "--json"])
    rows = {row["spec"]: row for row in json.loads(result.stdout)}
    assert {"yamnet", "beats:FILE", "clap:FOLDER", "exec:COMMAND"} <= set(rows)
    assert rows["exec:COMMAND"]["installed"] and rows["clap:FOLDER"]["role"] == "audio and text vectors"
