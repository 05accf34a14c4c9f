"""The whole demonstration: on simulated clips the plug-in hears where, and the same model on W alone guesses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[4] / "benchmarks" / "spatial_plugin.py"


@pytest.mark.soak
def test_direction_is_answered_with_the_plugin_and_guessed_without(backbone_folder):
    done = subprocess.run([sys.executable, str(SCRIPT), "--json"], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    mono, spatial = found["mono"], found["spatial"]
    assert mono["steps"] == spatial["steps"]
    assert spatial["last_loss"] < 0.7 * spatial["first_loss"]
    assert mono["stage_2"] < 0.45, "chance is 0.25"
    assert spatial["stage_2"] > mono["stage_2"] + 0.3
    assert spatial["grounded"] > mono["grounded"] + 0.3
    assert spatial["stage_1"] > 0.9
