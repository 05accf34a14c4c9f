"""Build the wheel, look inside, install it alone in a new environment and run its command line."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = {".json", ".jsonl", ".sql", ".html", ".css", ".js", ".toml", ".csv", ".typed"}


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


def check_install(wheel: Path, folder: Path) -> None:
    """Installed alone, its command line answers and a lake can be made and asked."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run(pip, check=True)
    command = str(folder / "bin" / "sonolake")
    for arguments in (
        ["--help"],
        ["init", "lake"],
        ["--lake", "lake", "sql", "SELECT count(*) AS n FROM assets"],
    ):
        subprocess.run([command, *arguments], check=True, cwd=folder, stdout=subprocess.DEVNULL)


def main() -> None:
    """Build, look inside, install, run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder / "dist")
        check_contents(wheel)
        check_install(wheel, folder / "environment")
        sys.stdout.write(f"{wheel.name}: {wheel.stat().st_size // 1024} KiB, installs alone and answers\n")


if __name__ == "__main__":
    main()
