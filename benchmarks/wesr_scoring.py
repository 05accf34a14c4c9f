"""Scoring of tagged transcripts: time an utterance and peak memory of 10,000 and of 100,000 utterances, one core.

Wanted: 100,000 in under 60 s, time and memory that grow with nothing but the number of tags. The bare loop reads both
files as JSON and nothing else.

python benchmarks/wesr_scoring.py
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from sonolake.wesr.scorefiles import score_files
from sonolake.wesr.taxonomy import TAGS

SMALL, LARGE = 10_000, 100_000
LIMIT_S = 60.0
RESAMPLES = 1000
SYLLABLES = ("ba", "do", "ki", "mu", "ne", "ro", "sa", "ti", "vu", "ze")
CHARACTERS = "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生"


def spoken(rng: random.Random) -> list[str]:
    """An utterance of 8 to 40 words, every third Chinese."""
    count = rng.randrange(8, 41)
    if rng.random() < 1 / 3:
        return rng.choices(CHARACTERS, k=count)
    return ["".join(rng.choices(SYLLABLES, k=rng.randrange(1, 4))) for _ in range(count)]


def tagged(words: list[str], rng: random.Random) -> list[str]:
    """The words with one to three events."""
    made = list(words)
    for tag in rng.sample(TAGS, rng.choice((1, 1, 1, 2, 3))):
        start = rng.randrange(len(made))
        if tag.form == "continuous":
            made.insert(rng.randrange(start, len(made)) + 1, tag.closing)
        made.insert(start, tag.text)
    return made


def heard(tokens: list[str], rng: random.Random) -> list[str]:
    """The tokens with some 15 % of errors."""
    made = []
    for token in tokens:
        chance = rng.random()
        if chance < 0.04:
            continue
        if chance < 0.08:
            made.append(rng.choice(SYLLABLES))
        made.append(rng.choice(SYLLABLES) if 0.08 <= chance < 0.15 and token[0] not in "[<" else token)
    return made


def write(folder: Path, count: int) -> tuple[Path, Path]:
    """References and hypotheses; every hundredth hypothesis is missing."""
    right, answers = folder / f"reference-{count}.jsonl", folder / f"hypothesis-{count}.jsonl"
    rng = random.Random(count)
    with right.open("w", encoding="utf-8") as references, answers.open("w", encoding="utf-8") as hypotheses:
        for number in range(count):
            tokens = tagged(spoken(rng), rng)
            for file, text in ((references, tokens), (hypotheses, heard(tokens, rng))):
                if file is references or number % 100:
                    row = {"audio": {"path": f"{number:06}.wav"}, "sentence": " ".join(text)}
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return right, answers


def work(what: str, right: Path, answers: Path) -> None:
    """What a measured process does: ``bare`` or ``score``."""
    if what == "score":
        score_files(right, answers, resamples=RESAMPLES)
        return
    for path in (right, answers):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                json.loads(line)


def measured(what: str, right: Path, answers: Path) -> tuple[float, float]:
    """CPU seconds and peak memory in MB, in a process of its own."""
    code = (
        "import resource, sys; sys.path.insert(0, sys.argv[1]); import wesr_scoring as b; from pathlib import Path;"
        "b.work(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]));"
        "u = resource.getrusage(resource.RUSAGE_SELF); print(u.ru_utime + u.ru_stime, u.ru_maxrss)"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parent), what, str(right), str(answers)]
    seconds, kilobytes = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), float(kilobytes) / 1024


def main() -> int:
    """Measure and print; status 1 when it takes longer than the limit, or when memory grows."""
    with tempfile.TemporaryDirectory() as folder:
        files = {count: write(Path(folder), count) for count in (SMALL, LARGE)}
        scored = {count: measured("score", *paths) for count, paths in files.items()}
        bare, _ = measured("bare", *files[LARGE])
    seconds, peak = scored[LARGE]
    growth = (seconds / LARGE) / (scored[SMALL][0] / SMALL)
    memory = peak / scored[SMALL][1]
    print(
        f"{LARGE:,} utterances: {seconds:.1f} s of CPU (limit {LIMIT_S:.0f} s), {seconds / bare:.1f} times reading"
        f" them; an utterance costs {growth:.2f} of what it costs among {SMALL:,}; peak memory {peak:.0f} MB,"
        f" {memory:.2f} of that of {SMALL:,}"
    )
    return int(seconds > LIMIT_S or memory > 1.2)


if __name__ == "__main__":
    sys.exit(main())
