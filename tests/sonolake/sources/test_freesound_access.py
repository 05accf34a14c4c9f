"""The key and the log-in: where they go, and where they never do."""

import logging
import pickle
import stat
import traceback

import pytest

from sonolake.errors import NotFound, Refused, SonolakeError, Unreachable
from sonolake.sources.freesound import Catalogue, Query
from sonolake.sources.freesound.access import api_key
from sonolake.sources.freesound.secrets import Secret

SECRETS = ("fs-key-0123", "access-", "refresh-", "one-time-code")


@pytest.fixture
def dogs(freesound, freesound_server):
    freesound.add(*(freesound_server.Sound(n, b"o" * 99, b"p" * 99, name="dog") for n in (1, 2)))
    return freesound


@pytest.fixture
def logged_in(dogs, freesound_server, catalogue):
    one = catalogue()
    one.log_in.begin(freesound_server.CODE)
    return one


def originals(catalogue):
    return catalogue.offer(catalogue.find(Query("dog")).sounds, {}, True)


def test_the_page_to_log_in_names_the_application_and_no_secret(dogs, catalogue):
    address = catalogue().authorise_address()
    assert address == f"{dogs.url}/oauth2/authorize/?client_id=fsclient&response_type=code"


def test_the_file_of_a_log_in_is_for_its_owner_alone(logged_in):
    assert stat.S_IMODE(logged_in.log_in.path.stat().st_mode) == 0o600


def test_a_code_is_good_for_one_log_in(logged_in, freesound_server):
    with pytest.raises(Refused, match="does not accept the log-in"):
        logged_in.log_in.begin(freesound_server.CODE)


def test_a_log_in_that_ends_is_renewed_before_and_its_successor_kept(dogs, logged_in, catalogue, clock):
    clock.now += 86_400 - 200
    originals(logged_in)
    assert {one.headers["authorization"] for one in dogs.requests("download")} == {"Bearer access-2-secret"}
    clock.now += 86_400
    assert catalogue().log_in.header().reveal() == "Bearer access-3-secret"
    assert len(dogs.requests("access_token")) == 3


def test_a_log_in_that_the_server_ended_is_renewed_once(dogs, logged_in):
    dogs.access_token = "somebody-else"
    assert [one.item for one in originals(logged_in)] == ["freesound:2", "freesound:1"]
    assert len(dogs.requests("access_token")) == 2
    refused = [one for one in dogs.requests("download") if "access-1" in one.headers["authorization"]]
    assert 1 <= len(refused) <= 2, "each download that was under way"


def test_a_log_in_that_was_taken_back_asks_for_a_new_one(dogs, logged_in):
    dogs.access_token = dogs.refresh_token = "taken-back"
    with pytest.raises(Refused, match="sonolake freesound login"):
        originals(logged_in)


def test_originals_need_an_application_and_a_log_in(dogs, catalogue):
    with pytest.raises(Refused, match="FREESOUND_CLIENT_ID is not set"):
        originals(catalogue(application=""))
    with pytest.raises(Refused, match="originals need a log-in: sonolake freesound login"):
        originals(catalogue())


def test_another_application_does_not_use_the_log_in(dogs, logged_in, catalogue):
    assert not catalogue(key=Secret("another-key")).log_in.known()


def test_a_redirect_to_another_host_is_followed_without_the_credential(dogs, logged_in):
    dogs.faults = lambda number, host, path: (
        "elsewhere" if path.endswith("download/") and host == "api" else None
    )
    items = originals(logged_in)
    assert [one.path.read_bytes() for one in items] == [b"o" * 99] * 2
    elsewhere = dogs.requests("^files")
    assert len(elsewhere) == 2
    assert all("authorization" not in one.headers for one in elsewhere)


def test_no_cookie_of_the_api_comes_to_another_host_nor_back(dogs, logged_in):
    """The API and the files are on one host here, so that a jar of cookies would send them to both."""
    logged_in.offer(logged_in.find(Query("dog")).sounds, {}, False)
    originals(logged_in)
    assert len(dogs.requests("^files")) == len(dogs.requests("download")) == 2
    assert all("cookie" not in one.headers for one in dogs.asked)


def test_a_log_in_that_is_sent_elsewhere_goes_nowhere(dogs, catalogue, freesound_server):
    dogs.faults = lambda number, host, path: "elsewhere" if host == "api" else None
    with pytest.raises(Unreachable, match="sends to localhost, which is another host"):
        catalogue().log_in.begin(freesound_server.CODE)
    assert [(one.host, one.method) for one in dogs.asked] == [("api", "POST")]
    assert not catalogue().log_in.known()


def test_a_search_that_is_sent_elsewhere_goes_nowhere(dogs, catalogue):
    dogs.faults = lambda number, host, path: "elsewhere" if host == "api" else None
    with pytest.raises(Unreachable, match="sends to localhost, which is another host"):
        catalogue().find(Query("dog"))
    assert dogs.requests("^files") == []


@pytest.mark.parametrize(
    "address", ["http://example.org/apiv2", "ftp://freesound.org/apiv2", "file:///etc/passwd"]
)
def test_the_key_never_goes_out_unencrypted(catalogue, address, tmp_path):
    with pytest.raises(Unreachable, match="is not https"):
        Catalogue(Secret("k"), tmp_path, address)


def test_previews_are_not_fetched_from_this_machine_for_a_server_that_is_elsewhere(dogs, catalogue, tmp_path):
    (sound, _) = catalogue().find(Query("dog")).sounds
    with Catalogue(Secret("k"), tmp_path / "other", "https://freesound.invalid/apiv2") as other:
        (refusal,) = other.offer([sound], {}, False)
    assert (refusal.reason, refusal.detail) == ("download_failed", "http://127.0.0.1 is not https")


def test_a_key_must_be_there():
    with pytest.raises(NotFound, match="FREESOUND_API_KEY is not set"):
        api_key({"FREESOUND_API_KEY": " "})


def test_no_secret_is_shown_written_or_handed_on(freesound_server):
    secret = Secret(freesound_server.KEY)
    assert freesound_server.KEY not in f"{secret} {secret!r} {[secret]} {vars(Wrapped(secret))}"
    with pytest.raises(TypeError, match="a secret is not written anywhere"):
        pickle.dumps(secret)


class Wrapped:
    def __init__(self, secret):
        self.secret = secret


@pytest.mark.parametrize("fault", ["500", "cut", "reset", "html", "suspended", "day", None])
def test_no_secret_is_in_a_log_an_error_or_a_traceback_with_all_variables(
    dogs, freesound_server, catalogue, caplog, fault
):
    """At the finest level of every logger, and with the variables of every frame."""
    caplog.set_level(logging.DEBUG)
    one = catalogue()
    one.log_in.begin(freesound_server.CODE)
    dogs.faults = lambda *_: fault
    if fault is None:
        dogs.access_token = dogs.refresh_token = "taken-back"
    with pytest.raises(SonolakeError) as failed:
        originals(one)
    frames = failed.value.with_traceback(
        failed.value.__traceback__.tb_next
    )  # without this one, which knows the server
    shown = "".join(traceback.TracebackException.from_exception(frames, capture_locals=True).format())
    assert caplog.records
    for said in (shown, caplog.text, repr(one), str(vars(one.transport))):
        assert [secret for secret in SECRETS if secret in said] == []
