"""Write the source folders of a very small lake: one place, six kinds of sounds, two rooms, four monologues.

python reduced_sources.py FOLDER
"""

import sys
from pathlib import Path

from sonolake.sources.recordings import write_foa_recordings
from sonolake.sources.responses import write_foa_responses, write_responses
from sonolake.sources.staged import scripts, write_staged
from sonolake.sources.synthetic import write_ambiences, write_takes, write_vocals

TAKES = ("fan", "stapler", "phone_ring", "keys_jingle", "footsteps", "zip")
SPEECH = ("new-recipe", "old-friends", "plain-report", "plain-weather")
"""Two monologues in which somebody laughs, two in which nobody makes a sound."""

root = Path(sys.argv[1])
write_takes(root / "takes", TAKES)
write_ambiences(root / "ambiences", ["office"])
write_responses(root / "responses", ["office"])
write_foa_responses(root / "foa-responses", rooms=2, positions=4)
write_foa_recordings(root / "foa", recordings=2, duration_s=12.0, events=3)
write_vocals(root / "vocals", ["vocal_laughs"])
write_staged(root / "speech", [script for script in scripts() if script.name in SPEECH])
