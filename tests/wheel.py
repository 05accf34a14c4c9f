"""Build the wheel, look inside, install it alone in a new environment and run its command line."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_MB = 150
"""What the wheel and all wheels it depends on may weigh together."""
DATA = {".json", ".jsonl", ".sql", ".html", ".css", ".js", ".toml", ".csv", ".in", ".typed"}


def build(folder: Path) -> Path:
    """The wheel, built from the checkout."""
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    """The wheel holds ``sonolake`` alone, and every file of it that git tracks."""
    names = {n for n in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in n}
    strangers = sorted(n for n in names if not n.startswith("sonolake/"))
    listed = subprocess.run(
        ["git", "ls-files", "sonolake"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    wanted = {n for n in listed.stdout.split() if Path(n).suffix in DATA | {".py"}}
    if strangers or wanted - names:
        sys.exit(f"wheel: not ours {strangers}, missing {sorted(wanted - names)}")


def check_install(wheel: Path, folder: Path) -> int:
    """Installed alone, it does all that a consumer needs; the bytes of all wheels that it takes."""
    python = str(folder / "environment" / "bin" / "python")
    venv.create(folder / "environment", with_pip=True)
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheels = folder / "wheels"
    subprocess.run([*pip, "download", "--dest", str(wheels), str(wheel)], check=True)
    subprocess.run([*pip, "install", "--no-index", "--find-links", str(wheels), "sonolake"], check=True)
    (folder / "consumer").mkdir()
    consumer = [python, "-W", "error", str(ROOT / "tests" / "consumer.py")]
    subprocess.run(consumer, check=True, cwd=folder / "consumer", env=os.environ | {"PYTHONPATH": ""})
    return sum(path.stat().st_size for path in wheels.iterdir())


def main() -> None:
    """Build, look inside, install, run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder / "dist")
        check_contents(wheel)
        size = check_install(wheel, folder) // 1_000_000
        if size > MOST_MB:
            sys.exit(f"the wheel and what it depends on take {size} MB, more than {MOST_MB}")
        sys.stdout.write(
            f"{wheel.name}: {wheel.stat().st_size // 1024} KiB, {size} MB with what it needs; "
            "installs alone, and pulls, verifies, proves, loads, scores and answers\n"
        )


if __name__ == "__main__":
    main()
