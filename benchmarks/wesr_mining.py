"""Mining of vocal events planted at known times: how many are found, by words, by sounds, and by both.

    python benchmarks/wesr_mining.py --data DATA [--utterances 2000] [--work DIR] [--events DIR] [--query N …]

The corpus of ``wesr_corpus.py`` is taken into a lake and mined as a user would, and the flow says what it finds of the
known events. Each of the three recordings of a kind is the audio query in turn (``--query``, the first by default);
recordings in which it is planted cannot be found then. A folder that has a corpus or a lake is gone on with.

Recordings stay whole by default: ``--pause`` is longer than any of theirs. With ``--pause 0.3``, the flow's own, they
are cut as speech is, and events that are not heard for what they are fall between utterances. Other ``--events`` than
``DATA/speech/vocal-events-nc-nd`` are there to choose a setting by, without a look at what is tested.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from wesr_corpus import TURNS, planted_source, write_corpus

LICENCE = "LicenseRef-unclear"
"""Of speech with sounds of others in it: it may be mined, and is left out of releases."""


def main() -> None:
    """Make the corpus, take it in, mine it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--utterances", type=int, default=2000)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--events", type=Path, help="default: vocal-events-nc-nd of the speech in --data")
    parser.add_argument("--query", type=int, nargs="+", choices=range(1, TURNS + 1), default=[1])
    parser.add_argument("--pause", type=float, default=4.0, help="seconds, as of the flow")
    given = parser.parse_args()
    folder = given.events or given.data / "speech/vocal-events-nc-nd"
    with tempfile.TemporaryDirectory() as scratch:
        work = given.work or Path(scratch)
        work.mkdir(parents=True, exist_ok=True)
        if not (work / "known.jsonl").exists():
            write_corpus(given.data, folder, work, given.utterances)
        run(work, given.query, given.pause)


def run(work: Path, turns: Sequence[int], pause: float) -> None:
    """Take the corpus in and mine it, once a turn."""
    lake = ["--lake", str(work / "lake")]
    _flow("ingest-vocals", str(work / "takes"), *lake, "--licence", LICENCE)
    _flow("ingest-speech", str(work / "speech"), *lake, "--licence", LICENCE)
    for turn in turns:
        print(f"query {turn}", file=sys.stderr)
        asked = ["--queries", str(work / f"queries-{turn}.json"), "--known", str(work / "known.jsonl")]
        where = ["--where", f"source_id NOT LIKE '{planted_source(turn)}%'"]
        cut = ["--recogniser", "none", "--quality", "none", "--pause", f"{pause:g}"]
        _flow("wesr", *lake, *asked, *where, *cut)


def _flow(*arguments: str) -> None:
    began, used = time.monotonic(), os.times()
    subprocess.run([sys.executable, "-m", "flows", *arguments], check=True)
    now = os.times()
    of = now.children_user - used.children_user + now.children_system - used.children_system
    print(f"{arguments[0]}: {time.monotonic() - began:.0f} s, {of:.0f} s of processor", file=sys.stderr)


if __name__ == "__main__":
    main()
