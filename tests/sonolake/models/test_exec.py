"""Encoders that are commands: what they are given, and what is refused of what they answer."""

import hashlib
import json
import os
import re
import shlex
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from sonolake.errors import InvalidInput, NotFound, Unreachable
from sonolake.models import get
from sonolake.models.exec_encoder import ExecEncoder

RATE = 16000
ROOT = Path(__file__).parents[3]
SCRIPT = '''
"""Three numbers of a sound: its level, its frames and its number; of a text, how long it is."""
import json, os, sys, time

what, out, fault = sys.argv[-2], sys.argv[-1], sys.argv[1]
print("loading weights", flush=True)
if what == "describe":
    said = {"dim": 3, "sample_rate": 8000, "weights_sha256": "ab" * 32, "window_s": 1.0, "hop_s": 0.5, "text": True}
    if fault == "nameless":
        said["weights_sha256"] = ""
    if fault == "deaf":
        said["text"] = False
    json.dump(said, open(out, "w"))
    sys.exit()
if fault == "hang":
    import subprocess
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    open(os.environ["PIDS"], "w").write(str(child.pid))
    time.sleep(600)
lines = [json.loads(line) for line in sys.stdin]
if fault == "crash":
    sys.exit("out of memory")
import numpy as np, pyarrow as pa, soundfile

rows = []
for number, line in enumerate(lines):
    if what == "text":
        rows.append([len(line["text"]), 0, 0])
    else:
        x, rate = soundfile.read(line["path"])
        assert rate == 8000 and x.ndim == 1
        rows.append([float(np.sqrt(np.mean(x * x))), len(x), number])
rows = {"short": [row[:2] for row in rows], "few": rows[:-1]}.get(fault, rows)
if fault == "nan":
    rows[-1][0] = float("nan")
if fault == "silent":
    sys.exit()
if fault == "text":
    open(out, "w").write(json.dumps(rows))
    sys.exit()
name = "embedding" if fault == "misnamed" else "vector"
table = pa.table({name: pa.array(rows, pa.list_(pa.float64()))})
writer = pa.ipc.new_file if fault == "file" else pa.ipc.new_stream
with pa.OSFile(out, "wb") as sink, writer(sink, table.schema) as stream:
    stream.write_table(table)
'''


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("an encoder") / "encode.py"
    path.write_text(SCRIPT)
    return path


@pytest.fixture
def command(script):
    def make(fault="none"):
        return shlex.join([sys.executable, str(script), fault])

    return make


def tone(seconds, level=0.5):
    return level * np.sin(2 * np.pi * 440 * np.arange(round(RATE * seconds)) / RATE)


def test_windows_go_out_as_files_and_come_back_as_vectors(command):
    encoder = get(f"exec:{command()}")
    first, second = encoder.encode_many([(tone(2.2), RATE), (tone(0.3, 0.1), RATE)])
    assert (encoder.dim, encoder.sample_rate, encoder.weights_sha256) == (3, 8000, "ab" * 32)
    # Windows of 1 s every 0.5 s at 8 kHz; the last one of 2.2 s begins at 1.5 s and has 0.7 s.
    assert first[:, 1].tolist() == [8000, 8000, 8000, 5600] and second[:, 1].tolist() == [2400]
    assert [*first[:, 2], *second[:, 2]] == [0, 1, 2, 3, 4], "one call for all"
    assert first[0, 0] == pytest.approx(0.5 / np.sqrt(2), abs=0.01)
    assert encoder.encode_text(["a", "dog"])[:, 0].tolist() == [1, 3]


def test_an_arrow_file_is_as_good_as_a_stream(command):
    assert ExecEncoder(command("file")).encode(tone(0.5), RATE).shape == (1, 3)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("crash", r"audio: ended with status 1; it printed: loading weights\s+out of memory"),
        ("short", r"audio: vector 0: expected 3 numbers, as describe says, received 2"),
        ("few", r"audio: vectors: expected 4, one for each line given, received 3"),
        ("nan", r"audio: vector 3: expected finite numbers, received 'NaN or infinity'"),
        ("silent", r"audio: it ended well and wrote no file vectors\.arrow"),
        ("text", r"audio: vectors: expected an Arrow file or stream"),
        ("misnamed", r"audio: columns: expected 'vector', received \['embedding'\]"),
        ("nameless", r"describe: weights_sha256: expected 64 hexadecimal digits"),
    ],
)
def test_what_is_not_as_agreed_is_refused(command, fault, said):
    with pytest.raises(Unreachable, match=said):
        ExecEncoder(command(fault)).encode(tone(2.2), RATE)


def test_a_command_that_hangs_is_killed_with_all_that_it_started(command, tmp_path, monkeypatch):
    monkeypatch.setenv("PIDS", str(tmp_path / "pid"))
    encoder = ExecEncoder(command("hang"), timeout_s=60)
    assert encoder.dim == 3
    encoder._timeout_s = 5.0
    with pytest.raises(
        Unreachable, match="audio: no end after 5 s, so it was killed; it printed: loading weights"
    ):
        encoder.encode(tone(0.5), RATE)
    child = int((tmp_path / "pid").read_text())
    for _ in range(200):
        if gone(child):
            return
        time.sleep(0.1)
    raise AssertionError("the command's child still runs")


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
        return stat.read().rpartition(")")[2].split()[0] == "Z"


def test_a_command_of_sound_only_is_asked_no_text(command):
    with pytest.raises(InvalidInput, match="an encoder of text"):
        ExecEncoder(command("deaf")).encode_text(["a dog"])


def test_what_is_no_command_is_said():
    with pytest.raises(NotFound, match=r"/nowhere/python cannot be run \(No such file or directory\)"):
        ExecEncoder("/nowhere/python encode.py").encode(tone(0.5), RATE)
    with pytest.raises(InvalidInput, match="a command"):
        ExecEncoder("python 'encode.py")
    with pytest.raises(InvalidInput, match="one of yamnet"):
        get("exec:")


def test_the_time_limit_is_a_setting(command, monkeypatch):
    monkeypatch.setenv("SONOLAKE_EXEC_TIMEOUT", "soon")
    with pytest.raises(InvalidInput, match="SONOLAKE_EXEC_TIMEOUT: expected seconds, more than 0"):
        ExecEncoder(command())


def test_it_does_not_inherit_where_our_packages_lie(monkeypatch, tmp_path):
    script = tmp_path / "says.py"
    script.write_text(
        "import json, os, sys\n"
        "json.dump({'dim': 3, 'sample_rate': 8000, 'weights_sha256': 'ab' * 32,\n"
        "           'name': os.environ.get('PYTHONPATH', 'none')}, open(sys.argv[-1], 'w'))\n"
    )
    monkeypatch.setenv("PYTHONPATH", json.dumps(str(tmp_path)))
    assert ExecEncoder(shlex.join([sys.executable, str(script)])).about == "none"


STANDINS = {
    "laion_clap.py": """
import numpy as np
class CLAP_Module:
    def __init__(self, enable_fusion=False, device=None, amodel="HTSAT-tiny", tmodel="roberta"):
        self.dim = 2048 if tmodel == "t5" else 512
    def load_ckpt(self, ckpt=None, model_id=-1, verbose=True):
        open(ckpt, "rb").close()
    def load_afclap_ckpt(self, ckpt=None, verbose=True):
        open(ckpt, "rb").close()
    def get_audio_embedding_from_filelist(self, x, sr=48000, use_tensor=False):
        return np.ones((len(x), self.dim), np.float32)
    def get_text_embedding(self, x, tokenizer=None, use_tensor=False):
        return np.zeros((len(x), self.dim), np.float32)
""",
    "msclap.py": """
import numpy as np
class CLAP:
    def __init__(self, model_fp=None, version="2023", use_cuda=False):
        open(model_fp, "rb").close()
    def get_audio_embeddings(self, audio_files, resample=True):
        return np.ones((len(audio_files), 1024), np.float32)
    def get_text_embeddings(self, class_labels):
        return np.zeros((len(class_labels), 1024), np.float32)
""",
}
"""Packages that are not installed here, with the calls of theirs that the guide's examples make."""


def test_the_guides_examples_run(tmp_path, monkeypatch):
    guide = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    shared, *examples = re.findall(r"^```python\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    for name, text in {**STANDINS, "answer.py": shared}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    for n, (text, dim) in enumerate(zip(examples, (512, 1024, 2048), strict=True)):
        (tmp_path / f"example{n}.py").write_text(text)
        weights = tmp_path / re.search(r'WEIGHTS = "(.*?)"', text)[1]
        weights.parent.mkdir(exist_ok=True)
        weights.write_bytes(b"weights")
        encoder = ExecEncoder(shlex.join([sys.executable, str(tmp_path / f"example{n}.py")]))
        assert encoder.encode(tone(1.0), RATE).shape == encoder.encode_text(["a dog"]).shape == (1, dim)
        assert encoder.weights_sha256 == hashlib.sha256(b"weights").hexdigest()
