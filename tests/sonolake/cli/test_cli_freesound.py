"""``sonolake freesound``: a log-in by a code that a person copies, and what is left of today."""

import pytest


@pytest.fixture
def key(freesound, freesound_server, monkeypatch, tmp_path):
    monkeypatch.setenv("FREESOUND_API_KEY", freesound_server.KEY)
    monkeypatch.setenv("FREESOUND_CLIENT_ID", freesound_server.CLIENT_ID)
    monkeypatch.setenv("FREESOUND_URL", freesound.url)
    monkeypatch.setenv("SONOLAKE_STATE", str(tmp_path / "state"))
    return freesound_server.KEY


def test_without_a_key_it_says_where_to_get_one(cli, monkeypatch):
    monkeypatch.delenv("FREESOUND_API_KEY", raising=False)
    result = cli("freesound", "status")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "sonolake: FREESOUND_API_KEY is not set: it is the key of https://freesound.org"
    )


def test_a_log_in_is_kept_and_no_secret_is_printed(cli, ask, key, freesound, freesound_server):
    result = cli("freesound", "login", input=f"{freesound_server.CODE}\n")
    assert result.exit_code == 0
    assert f"{freesound.url}/oauth2/authorize/?client_id=fsclient&response_type=code" in result.stdout
    assert "Logged in." in result.stdout
    assert not [s for s in (key, freesound_server.CODE, "access-1") if s in result.stdout + result.stderr]
    status = ask("freesound", "status")
    assert (status["logged_in"], status["requests_left_today"]) == (True, 2000)


def test_a_wrong_code_is_refused(cli, key, freesound):
    result = cli("freesound", "login", input="mistyped\n")
    assert result.exit_code == 1
    assert "does not accept the log-in" in result.stderr and "mistyped" not in result.stderr
    assert "logged in: False" in cli("freesound", "status").stdout


def test_a_log_in_needs_an_application(cli, key, monkeypatch):
    monkeypatch.delenv("FREESOUND_CLIENT_ID")
    result = cli("freesound", "login")
    assert (result.exit_code, "FREESOUND_CLIENT_ID is not set" in result.stderr) == (1, True)
