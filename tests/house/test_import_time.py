"""Imports are cheap: what is heavy is loaded by the functions that need it."""

import json
import subprocess
import sys

LIGHT = ("numpy", "duckdb", "pyarrow", "scipy", "lancedb", "typer", "soundfile", "av")
"""Not one of these for ``import sonolake``."""
HEAVY = (
    "torch", "onnxruntime", "onnx", "lancedb", "pocketsphinx", "pyroomacoustics", "av", "scipy.signal", "tokenizers",
    "hibari", "prefect", "polars", "matplotlib", "pandas", "PIL",
)  # fmt: skip
"""Not one of these for importing any room."""
ROOMS = (
    "audio",
    "cares",
    "cli",
    "lake",
    "loading",
    "models",
    "releases",
    "search",
    "sources",
    "spatial",
    "splits",
    "wesr",
)


def loaded(script, names):
    code = f"{script}\nimport json, sys\nprint(json.dumps([n for n in {names!r} if n in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_importing_sonolake_loads_no_library():
    assert loaded("import sonolake, sonolake.errors", LIGHT) == []


def test_importing_the_rooms_loads_nothing_heavy():
    assert loaded("\n".join(f"import sonolake.{room}" for room in ROOMS), HEAVY) == []


def test_a_lake_is_opened_and_asked_without_what_searches_and_models_need(tmp_path):
    script = (
        f"from sonolake import Lake\nwith Lake.create({str(tmp_path / 'lake')!r}) as lake:\n"
        "    assert lake.sql('SELECT count(*) AS n FROM assets')['n'].to_pylist() == [0]"
    )
    assert set(loaded(script, HEAVY)) <= {"pandas"}, "DuckDB itself loads pandas where it is installed"
