"""The annotation page in a real browser, by keyboard: Debian's Chromium through Playwright."""

import os
import re
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest

from sonolake.audio.encode import wav_bytes
from sonolake.wesr.annotation.editing import Marks
from sonolake.wesr.annotation.sounds import Sounds
from sonolake.wesr.annotation.store import Project
from sonolake.wesr.annotation.tasks import Task
from sonolake.wesr.tagged import Span

pytest.importorskip("uvicorn", reason="needs the extra 'annotate'")
playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
from sonolake.wesr.annotation.server import application  # noqa: E402

ENGLISH = Task("en", "a.wav", "Well, I think so.", "en", ((0.1, 0.3), (0.4, 0.5), (0.6, 1.0), (1.1, 1.5)))
CHINESE = Task("zh", "a.wav", "今天天气很好，走吧。", "zh")
GOLD = Task("gold", "a.wav", "one two", gold="one [laughs] two")
READY = "#desk[data-task={}][data-ready=true]"


@pytest.fixture
def audio(tmp_path):
    folder = tmp_path / "audio"
    folder.mkdir()
    t = np.arange(38_400) / 24_000
    tone = 12_000 * np.sin(2 * np.pi * 440 * t) * np.abs(np.sin(2 * np.pi * 2 * t))
    (folder / "a.wav").write_bytes(wav_bytes(np.round(tone).astype(np.int16), 24_000))
    return folder


class Served:
    """A project and its server in a thread."""

    def __init__(self, path, audio, serving):
        self.path, self.project = path, Project(path)
        self.port = serving(application(self.project, Sounds(audio)))
        address = f"http://127.0.0.1:{self.port}/#key="
        self.annotate = address + self.project.meta("key")
        self.adjudicate = address + self.project.meta("adjudication_key")


class Command:
    """The same as ``sonolake annotate serve``, a process that can be killed."""

    def __init__(self, path, port=0):
        program = Path(sys.executable).with_name("sonolake")
        command = [str(program), "annotate", "serve", str(path), "--port", str(port)]
        self.path = path
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.annotate, self.adjudicate = (self.process.stdout.readline().split()[1] for _ in range(2))
        self.port = int(re.search(r":(\d+)/", self.annotate)[1])

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def end(self):
        if not self.process.stdout.closed:
            self.process.terminate()
            self.process.communicate()


@pytest.fixture
def new_project(tmp_path, audio):
    names = (tmp_path / f"p{number}.sqlite" for number in range(10))

    def make(*tasks):
        path = next(names)
        Project.create(path, tasks, audio=str(audio)).close()
        return path

    return make


@pytest.fixture
def projects():
    made = []
    yield made
    for one in made:
        one.close()


@pytest.fixture
def serve(new_project, audio, projects, serving):
    def start(*tasks):
        made = Served(new_project(*tasks), audio, serving)
        projects.append(made.project)
        return made

    return start


def enter(context, url, rater="ann"):
    page = context.new_page()
    page.goto(url)
    page.fill("#rater", "")
    page.keyboard.type(rater)
    page.keyboard.press("Enter")
    page.wait_for_selector("#desk[data-ready=true]")
    return page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def has_text(page, selector, expected):
    playwright.expect(page.locator(selector)).to_contain_text(expected, timeout=30_000)


def saved(page):
    playwright.expect(page.locator("#saved")).to_have_text("saved", timeout=30_000)


def until(page, script):
    """Wait until a script is true; the page's own policy keeps it from evaluating one itself."""
    for _ in range(1500):
        if page.evaluate(script):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never true: {script}")


def text(page):
    return page.inner_text("#text")


def state(served, task, rater="ann", role="annotator"):
    with Project(served.path) as project:
        return project.state(rater, task, role)


def test_a_task_by_keyboard_alone(serve, context):
    served = serve(ENGLISH)
    page = enter(context, served.annotate)
    assert page.evaluate("document.activeElement.id") == "text"
    press(page, "ArrowRight", "l")
    assert text(page) == "Well, [laughs]I think so."
    assert page.inner_text("#where") == "after “Well”, before “I”"
    press(page, "Shift+ArrowRight", "Shift+ArrowRight", "Shift+KeyW")
    assert text(page) == "Well, [laughs]<whispering>I think</whispering> so."
    press(page, "Control+z")
    assert text(page) == "Well, [laughs]I think so."
    press(page, "Control+y")
    press(page, "End", "s", "Home", "c")
    press(page, "End", "Backspace")
    assert text(page) == "[cough]Well, [laughs]<whispering>I think</whispering> so."
    saved(page)
    made = state(served, "en")
    assert made.marks == Marks(((0, "cough"), (1, "laughs")), (Span("whispering", 1, 2),))
    assert not made.done
    press(page, "Control+Enter")
    has_text(page, "#progress", "1 done in all")
    assert state(served, "en").done
    with Project(served.path) as project:
        kinds = [action["kind"] for action in project.actions()]
    assert kinds == ["insert", "wrap", "undo", "redo", "insert", "insert", "remove", "done"]


def test_chinese(serve, context):
    served = serve(CHINESE)
    page = enter(context, served.annotate)
    assert page.get_attribute("#text", "lang") == "zh"
    press(page, *["ArrowRight"] * 6, "i", *["Shift+ArrowLeft"] * 2, "Shift+KeyS")
    saved(page)
    assert text(page) == "今天天气<singing>很好，</singing>[inhale]走吧。"
    assert state(served, "zh").marks.on(CHINESE.text) == "今天天气<singing>很好，</singing>[inhale]走吧。"


def test_spans_grow_and_shrink(serve, context):
    served = serve(ENGLISH)
    page = enter(context, served.annotate)
    press(page, "Shift+ArrowRight", "Shift+KeyL", "ArrowRight", "Shift+ArrowRight", "Shift+KeyL")
    assert text(page) == "<laughing>Well,</laughing> I <laughing>think</laughing> so."
    press(page, "Home", "Shift+End", "Shift+KeyL")
    assert text(page) == "<laughing>Well, I think so.</laughing>"
    press(page, "Home", "Shift+ArrowRight", "Shift+KeyL")
    assert text(page) == "Well, <laughing>I think so.</laughing>"
    press(page, "End", "Delete")
    assert text(page) == "Well, I think so."
    press(page, "Shift+KeyL")
    assert "Select words first" in page.inner_text("#notice")


def test_playing_at_a_word(serve, context):
    page = enter(context, serve(ENGLISH).annotate)
    press(page, "ArrowRight", "ArrowRight", "Space")
    assert page.get_attribute("#sound", "data-playing") == "0.600"
    until(page, "parseFloat(document.querySelector('#playhead').style.left) > 37.5")
    press(page, "Space")
    assert page.get_attribute("#sound", "data-playing") is None
    press(page, "Shift+ArrowLeft", "Space")
    assert page.get_attribute("#sound", "data-playing") == "0.400"
    until(page, "!document.getElementById('sound').dataset.playing")
    assert page.evaluate("document.getElementById('spectrogram').naturalWidth") == 1600
    drawn = "[...document.getElementById('wave').getContext('2d').getImageData(0, 0, 1600, 90).data].some((v) => v)"
    assert page.evaluate(drawn)
    assert page.is_hidden("#estimate")


def test_the_keys_are_shown(serve, context):
    page = enter(context, serve(ENGLISH).annotate)
    shown = page.inner_text("#keys")
    assert "[clear_throat] clearing of the throat" in shown
    assert "<whispering> speaking in a whisper" in shown
    assert page.locator("#keys kbd").count() == 21 + 12


def test_qualification(serve, context):
    served = serve(ENGLISH, GOLD)
    page = enter(context, served.annotate)
    assert page.inner_text("#progress").startswith("Qualification, 1 of 1")
    press(page, "l", "Control+Enter")
    has_text(page, "#notice", "Not qualified yet: 0 of 100")
    assert "laughs 1 word too early: one ‸ two" in page.inner_text("#feedback")
    page.wait_for_selector("#desk[data-ready=true]")
    assert text(page) == "one two"
    press(page, "ArrowRight", "l", "Control+Enter")
    page.wait_for_selector(READY.format("en"))
    assert page.inner_text("#notice").startswith("Qualified: 100 of 100")
    assert page.inner_text("#feedback") == ""


def test_a_killed_server_loses_nothing(new_project, context):
    served = Command(new_project(ENGLISH))
    page = enter(context, served.annotate)
    press(page, "l")
    saved(page)
    served.kill()
    press(page, "ArrowRight", "c", "ArrowRight", "s")
    has_text(page, "#saved", "not saved yet: 2")
    page.close()
    again = Command(served.path, served.port)
    page = enter(context, again.annotate)
    assert text(page) == "[laughs]Well, [cough]I [sigh]think so."
    assert state(again, "en").marks.points == ((0, "laughs"), (1, "cough"), (2, "sigh"))
    again.end()


def test_a_browser_that_is_closed_at_once_loses_nothing(serve, context):
    served = serve(ENGLISH)
    page = enter(context, served.annotate)
    press(page, "l", "ArrowRight", "c")
    page.close()
    page = enter(context, served.annotate)
    assert text(page) == "[laughs]Well, [cough]I think so."
    saved(page)
    assert state(served, "en").marks.points == ((0, "laughs"), (1, "cough"))


def test_what_had_not_arrived_when_the_browser_closed_follows_what_had(serve, context):
    served, held = serve(ENGLISH), []
    page = enter(context, served.annotate)

    def hold(route):
        held.append(route)
        if len(held) > 1:
            route.abort()

    page.route(lambda address: "/actions" in address, hold)
    press(page, "l", "ArrowRight", "c")
    has_text(page, "#saved", "not saved yet: 2")
    held[0].continue_()
    has_text(page, "#saved", "not saved yet: 1")
    page.close()
    page = enter(context, served.annotate)
    assert text(page) == "[laughs]Well, [cough]I think so."
    assert state(served, "en").marks.points == ((0, "laughs"), (1, "cough"))


def test_two_windows(serve, context):
    served = serve(ENGLISH)
    first, second = enter(context, served.annotate), enter(context, served.annotate)
    press(first, "l")
    saved(first)
    press(second, "c")
    has_text(second, "#notice", "another window")
    has_text(second, "#text", "[laughs]Well, I think so.")
    assert state(served, "en").marks.points == ((0, "laughs"),)


def test_another_tab_cannot_post(serve, context, faults):
    served = serve(ENGLISH)
    enter(context, served.annotate)
    with Project(served.path) as project:
        key = project.meta("key")
    target = f"http://127.0.0.1:{served.port}/api/work/0/actions?rater=ann"
    evil = f"""<body><form method="post" enctype="text/plain" action="{target}"><input name='{{"kind":"x","a":"'
        value='","points":[[0,"laughs"]],"spans":[],"done":true,"base":0}}'></form><script>
        const body = JSON.stringify({{kind: "x", points: [[0, "laughs"]], spans: [], done: true, base: 0}});
        const key = {{"x-sonolake-key": "{key}"}};
        Promise.allSettled([
          fetch("{target}", {{method: "POST", body, headers: {{...key, "content-type": "application/json"}}}}),
          fetch("{target}", {{method: "POST", body, mode: "no-cors", credentials: "include"}}),
          fetch("{target.replace("/actions", "")}", {{headers: key}}),
        ]).then((found) => {{ document.title = found.map((one) => one.status).join(" "); }});
        </script>"""

    class Evil(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(evil.encode())

    server = HTTPServer(("127.0.0.1", 0), Evil)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    page = context.new_page()
    page.goto(f"http://localhost:{server.server_port}/")
    until(page, "document.title !== ''")
    assert page.title().split()[0] == "rejected" and page.title().split()[2] == "rejected"
    with page.expect_navigation():
        page.evaluate("document.forms[0].submit()")
    server.shutdown()
    thread.join()
    server.server_close()
    with Project(served.path) as project:
        assert project.actions() == []


def test_adjudication(serve, context):
    served = serve(ENGLISH)
    with Project(served.path) as project:
        for rater, gap in (("ann", 1), ("ben", 2)):
            marks = Marks(((0, "sigh"), (gap, "laughs")))
            project.act(rater, "en", "done", marks, done=True, base=0)
    page = enter(context, served.adjudicate, "eva")
    answers = page.locator("#answers li").all_inner_texts()
    assert answers == ["ann [sigh]Well, [laughs]I think so.", "ben [sigh]Well, I [laughs]think so."]
    odd = page.locator(".gap.differs").evaluate_all("(found) => found.map((one) => one.dataset.gap)")
    assert odd == ["1", "2"]
    press(page, "2")
    assert text(page) == "[sigh]Well, I [laughs]think so."
    press(page, "Home", "Backspace", "Control+Enter")
    has_text(page, "#progress", "1 done in all")
    made = state(served, "en", "eva", "adjudicator")
    assert (made.marks.points, made.done) == (((2, "laughs"),), True)


def test_a_thousand_tasks_are_no_heavier_than_two(serve, context):
    tasks = [Task(f"t{number}", "a.wav", "Well, I think so.", "en") for number in range(1000)]
    sizes = []
    for count in (2, 1000):
        page = enter(context, serve(*tasks[:count]).annotate)
        sizes.append(page.evaluate("document.querySelectorAll('*').length"))
        page.once("dialog", lambda dialog: dialog.accept("1000"))
        press(page, "l", "Control+Enter")
        page.wait_for_selector(READY.format("t1"))
        press(page, "j")
        has_text(page, "#progress", f"{count} of {count}")
        page.wait_for_selector("#desk[data-ready=true]")
    assert sizes[0] == sizes[1]
    assert page.get_attribute("#desk", "data-task") == "t999"
    assert page.inner_text("#progress") == "1000 of 1000; 1 done in all"


def test_a_recording_that_is_missing(serve, context):
    page = enter(context, serve(Task("x", "none.wav", "one two")).annotate)
    assert "cannot be played" in page.inner_text("#notice")
    press(page, "ArrowRight", "l")
    assert text(page) == "one [laughs]two"


def test_the_wrong_address(serve, context):
    served = serve(ENGLISH)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{served.port}/#key=wrong")
    page.fill("#rater", "ann")
    page.keyboard.press("Enter")
    has_text(page, "#start h1", "key is missing or wrong")
    assert page.is_hidden("#desk")
