"""Downloads from the web: whole or not there, gone on with, allowed, paced; no password to a stranger."""

import base64

import httpx
import pytest

from sonolake.errors import ItemRefused
from sonolake.sources.freesound.transport import new_client
from sonolake.sources.web.downloads import Downloads
from sonolake.sources.web.hosts import Hosts
from sonolake.sources.web.transport import Transport

DATA = bytes(range(256)) * 4096


@pytest.fixture(scope="module")
def client():
    with new_client() as one:
        yield one


@pytest.fixture
def web(site, clock, client, tmp_path):
    """Makes downloads, as a new process would."""
    site.files["/a.mp3"] = DATA

    def make(pause_s=0.0):
        hosts = Hosts(clock=clock, sleep=clock.sleep)
        return Downloads(
            tmp_path / "sounds", Transport(tmp_path / "robots", pause_s, hosts, client, clock=clock)
        )

    return make


def get(downloads, address, **more):
    return downloads.get(httpx.URL(address), **more)


def fault_once(site, name, path="/a.mp3", times=1):
    left = [times]

    def faults(number, asked):
        if asked == path and left[0]:
            left[0] -= 1
            return name
        return None

    site.faults = faults


def test_a_cut_body_is_gone_on_with_where_it_broke(site, web):
    fault_once(site, "cut")
    came = get(web(), site.url("/a.mp3"))
    assert came.path.read_bytes() == DATA
    first, second = site.requests("/a.mp3")
    assert second.headers["range"] == f"bytes={first.sent}-" and first.sent == len(DATA) // 2
    assert second.headers["if-range"] == site.etag(DATA)
    assert (second.status, second.sent) == (206, len(DATA) - first.sent)


def test_another_process_goes_on(site, web):
    fault_once(site, "cut", times=1)
    downloads = web()
    downloads.transport.patience = type(downloads.transport.patience)(tries=1)
    with pytest.raises(ItemRefused, match="download_failed"):
        get(downloads, site.url("/a.mp3"))
    assert get(web(), site.url("/a.mp3")).path.read_bytes() == DATA
    assert [one.status for one in site.requests("/a.mp3")] == [200, 206]


def test_a_file_that_changed_half_way_is_taken_whole_and_of_one_version(site, web):
    fault_once(site, "cut")
    first = site.faults

    def changed_then(number, path):
        fault = first(number, path)
        if fault:
            site.files["/later.mp3"] = DATA[::-1]
            return fault
        return "changed" if path == "/a.mp3" else None

    site.faults = changed_then
    assert get(web(), site.url("/a.mp3")).path.read_bytes() == DATA[::-1]


@pytest.mark.parametrize("ranges", [True, False])
def test_without_a_version_or_ranges_it_begins_anew(site, web, ranges):
    site.ranges = ranges
    fault_once(site, "cut", times=2)
    assert get(web(), site.url("/a.mp3")).path.read_bytes() == DATA


@pytest.mark.parametrize("fault", ["500", "429", "reset", "cut"])
def test_broken_answers_are_tried_again_and_given_up_in_time(site, web, fault):
    fault_once(site, fault, times=3)
    assert get(web(), site.url("/a.mp3")).path.read_bytes() == DATA
    site.files["/b.mp3"] = DATA
    fault_once(site, "500", "/b.mp3", times=99)
    with pytest.raises(ItemRefused, match=r"download_failed.*6 times in a row"):
        get(web(), site.url("/b.mp3"))
    assert len(site.requests("/b.mp3")) == 6


@pytest.mark.parametrize("fault", ["html", "unstated"])
def test_pages_and_bodies_whose_end_nobody_can_tell_are_refused(site, web, fault):
    fault_once(site, fault, times=9)
    with pytest.raises(ItemRefused, match="download_failed"):
        get(web(), site.url("/a.mp3"))
    assert len(site.requests("/a.mp3")) == 1


def test_what_is_unchanged_is_not_sent(site, web):
    came = get(web(), site.url("/a.mp3"))
    came.path.unlink()
    assert get(web(), site.url("/a.mp3"), known=came.version) is None
    assert site.requests("/a.mp3")[-1].status == 304
    site.files["/a.mp3"] = DATA[:-5]
    assert get(web(), site.url("/a.mp3"), known={"etag": came.version["etag"]}).path.read_bytes() == DATA[:-5]


def test_without_etags_dates_tell(site, web):
    site.etags = False
    fault_once(site, "cut")
    came = get(web(), site.url("/a.mp3"))
    assert came.path.read_bytes() == DATA
    assert site.requests("/a.mp3")[1].headers["if-range"] == came.version["last_modified"]
    came.path.unlink()
    assert get(web(), site.url("/a.mp3"), known=came.version) is None


def test_deleted_is_gone(site, web):
    with pytest.raises(ItemRefused, match="gone"):
        get(web(), site.url("/never.mp3"))
    assert len(site.requests("/never.mp3")) == 1


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("User-agent: *\nDisallow: /a.mp3", False),
        ("User-agent: *\nDisallow: /*.mp3$", False),
        ("User-agent: sonolake\nDisallow: /\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: sonolake\nAllow: /", True),
        ("User-agent: *\nDisallow: /\nAllow: /a.mp3", True),
        ("", True),
    ],
)
def test_robots_txt_is_respected(site, web, rules, allowed):
    site.files["/robots.txt"] = rules.encode()
    if allowed:
        assert get(web(), site.url("/a.mp3")).path.read_bytes() == DATA
        return
    with pytest.raises(ItemRefused, match="disallowed"):
        get(web(), site.url("/a.mp3"))
    assert site.requests("/a.mp3") == []


def test_robots_txt_is_asked_for_once_a_day_and_its_failure_forbids(site, web, clock):
    get(web(), site.url("/a.mp3"))
    site.files["/b.mp3"] = DATA
    get(web(), site.url("/b.mp3"))
    assert len(site.requests("/robots.txt")) == 1
    clock.now += 86_401
    site.files["/c.mp3"] = DATA
    fault_once(site, "500", "/robots.txt", times=99)
    with pytest.raises(ItemRefused, match="download_failed"):
        get(web(), site.url("/c.mp3"))
    assert site.requests("/c.mp3") == []


def test_a_redirect_asks_the_other_hosts_robots_txt(site, web):
    fault_once(site, "elsewhere")
    site.files["/robots.txt"] = b"User-agent: *\nDisallow: /b"
    assert get(web(), site.url("/a.mp3")).path.read_bytes() == DATA
    assert [one.host for one in site.requests("/robots.txt")] == ["one", "two"]


def test_a_host_is_asked_no_faster_than_it_and_we_want(site, web, clock):
    site.files["/b.mp3"] = DATA
    downloads = web(pause_s=2.0)
    get(downloads, site.url("/a.mp3"))
    get(downloads, site.url("/b.mp3"))
    assert clock.slept == [2.0, 2.0], "robots.txt, a, b"
    clock.slept.clear()
    clock.now += 90_000
    site.files["/robots.txt"] = b"User-agent: *\nCrawl-delay: 7"
    site.files["/c.mp3"] = site.files["/d.mp3"] = DATA
    get(downloads, site.url("/c.mp3"))
    get(downloads, site.url("/d.mp3"))
    assert clock.slept == [2.0, 7.0]


def test_retry_after_is_kept_and_one_that_is_too_long_ends_it(site, web, clock):
    site.retry_after = "33"
    fault_once(site, "429")
    get(web(), site.url("/a.mp3"))
    assert max(clock.slept) == 33.0
    site.retry_after, site.files["/b.mp3"], site.files["/c.mp3"] = "3600", DATA, DATA
    fault_once(site, "429", "/b.mp3")
    downloads = web()
    with pytest.raises(ItemRefused, match="left alone for 3600 s"):
        get(downloads, site.url("/b.mp3"))
    with pytest.raises(ItemRefused, match="left alone"):
        get(downloads, site.url("/c.mp3"))
    assert site.requests("/c.mp3") == []


def test_a_password_goes_to_its_own_origin_alone(site, web):
    site.login = ("ann", "s3cret")
    address = f"http://ann:s3cret@{site.one}/a.mp3"
    assert get(web(), address).path.read_bytes() == DATA
    right = "Basic " + base64.b64encode(b"ann:s3cret").decode()
    assert site.requests("/a.mp3")[-1].headers["authorization"] == right
    site.files["/b.mp3"] = DATA
    fault_once(site, "elsewhere", "/b.mp3")
    get(web(), address.replace("a.mp3", "b.mp3"))
    own, other = site.requests("/b.mp3")
    assert (own.host, other.host) == ("one", "two")
    assert "authorization" in own.headers and "authorization" not in other.headers
    with pytest.raises(ItemRefused) as refused:
        get(web(), address.replace("a.mp3", "c.mp3"))
    assert "s3cret" not in str(refused.value)
