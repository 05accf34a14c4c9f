"""The annotation server: a page, and the tasks of a project as JSON.

An annotator sees their own work and nothing of others, nor how a task was found; the adjudicator, who has a key of
their own, sees what everybody did.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from secrets import compare_digest
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sonolake.errors import InvalidInput, ItemRefused, NotFound, Refused
from sonolake.pages.answering import calls, page, rater_of
from sonolake.pages.guard import KEY_HEADER, LOCAL, Guard
from sonolake.pages.refusals import NoKey
from sonolake.wesr.annotation.editing import marks_of
from sonolake.wesr.annotation.qualification import feedback, judge, standing
from sonolake.wesr.annotation.shortcuts import KEYS
from sonolake.wesr.annotation.sounds import Sounds
from sonolake.wesr.annotation.store import Project, Role, State
from sonolake.wesr.annotation.tasks import Task
from sonolake.wesr.taxonomy import TAGS
from sonolake.wesr.writing import apart

PAGE = ("index.html", "text.css", "main.js", "editor.js", "view.js")
"""The page's own files."""

Call = Callable[["Desk", Request, Role], Response]


class Desk:
    """What the requests work on."""

    def __init__(self, project: Project, sounds: Sounds) -> None:
        self.project, self.sounds = project, sounds

    def role(self, request: Request) -> Role:
        """Whose key a call has.

        Raises:
            NoKey: when it is nobody's.
        """
        key = request.headers.get(KEY_HEADER, "").encode()
        if compare_digest(key, self.project.meta("key").encode()):
            return "annotator"
        if compare_digest(key, self.project.meta("adjudication_key").encode()):
            return "adjudicator"
        raise NoKey

    def task(self, request: Request, role: Role) -> Task:
        """The task that a request is about, if it is open to who asks."""
        phase, index = str(request.path_params["phase"]), int(request.path_params["index"])
        tasks = self.project.gold if phase == "gold" else self.project.work
        if (
            phase == "work"
            and role == "annotator"
            and not standing(self.project, rater_of(request)).qualified
        ):
            raise Refused("these tasks open after the qualification")
        if index >= len(tasks):
            raise NotFound(f"no task {index + 1}; there are {len(tasks)}")
        return tasks[index]


def application(project: Project, sounds: Sounds, hosts: Collection[str] = LOCAL) -> Starlette:
    """The server of a project.

    Args:
        project: its tasks and actions.
        sounds: its recordings.
        hosts: names under which it may be called.
    """
    desk = Desk(project, sounds)
    api: dict[str, Call] = {
        "/api/me": _me,
        "/api/{phase:str}/{index:int}": _shown,
        "/api/{phase:str}/{index:int}/sound.wav": _sound,
        "/api/{phase:str}/{index:int}/spectrogram.png": _picture,
    }
    acts = {"/api/{phase:str}/{index:int}/actions": partial(_acted, desk)}
    asked = {path: partial(_called, desk, call) for path, call in api.items()}
    routes = [*page("sonolake.wesr.annotation", PAGE), *calls(asked, acts)]
    return Starlette(routes=routes, middleware=[Middleware(Guard, hosts=hosts)])


def _called(desk: Desk, call: Call, request: Request) -> Response:
    return call(desk, request, desk.role(request))


def _me(desk: Desk, request: Request, role: Role) -> Response:
    rater, project = rater_of(request), desk.project
    now = standing(project, rater)
    done = project.done(rater, role)
    phase = "work" if role == "adjudicator" or now.qualified else "gold"
    tasks = project.work if phase == "work" else project.gold
    first = next((i for i, task in enumerate(tasks) if task.name not in done), max(0, len(tasks) - 1))
    tags = [{"name": t.name, "form": t.form, "meaning": t.meaning, "key": KEYS[t.name]} for t in TAGS]
    return JSONResponse(
        {
            "role": role,
            "phase": phase,
            "tasks": len(tasks),
            "done": len(done & {task.name for task in tasks}),
            "first": first,
            "verdict": vars(now.verdict) if now.verdict else None,
            "threshold": float(project.meta("threshold")),
            "tags": tags,
        }
    )


def _shown(desk: Desk, request: Request, role: Role) -> Response:
    task, rater = desk.task(request, role), rater_of(request)
    made = _task(desk, task) | {"state": _state(desk.project.state(rater, task.name, role))}
    if role == "adjudicator":
        answers = desk.project.answers(task.name)
        made["answers"] = [{"rater": name, **_state(state)} for name, state in answers.items()]
    return JSONResponse(made)


def _task(desk: Desk, task: Task) -> dict[str, Any]:
    words, gaps = apart(task.text)
    made = {
        "name": task.name,
        "language": task.language,
        "words": words,
        "gaps": gaps,
        "estimated": not task.times,
    }
    try:
        shown = desk.sounds.show(task.audio)
        return made | {"times": desk.sounds.times(task), "duration_s": shown.duration_s, "fault": ""}
    except (ItemRefused, OSError) as error:
        return made | {"times": [], "duration_s": 0.0, "fault": str(error)}


def _state(state: State) -> dict[str, Any]:
    return {"seq": state.seq, "done": state.done, **state.marks.plain()}


def _acted(desk: Desk, request: Request, body: Any) -> Response:
    role = desk.role(request)
    task, rater = desk.task(request, role), rater_of(request)
    if not isinstance(body, dict) or not isinstance(body.get("base"), int):
        raise InvalidInput("action", "an object with kind, points, spans, done and base", body)
    state = desk.project.act(
        rater,
        task.name,
        str(body.get("kind", ""))[:20],
        marks_of(body),
        done=body.get("done") is True,
        base=body["base"],
        role=role,
    )
    made = _state(state) | {"text": state.marks.on(task.text)}
    if task.gold and state.done and role == "annotator":
        made["gold"] = task.gold
        made["feedback"] = [vars(mistake) for mistake in feedback(desk.project, rater, task.name)]
        verdict = judge(desk.project, rater)
        made["verdict"] = vars(verdict) if verdict else None
    return JSONResponse(made)


def _sound(desk: Desk, request: Request, role: Role) -> Response:
    return Response(desk.sounds.show(desk.task(request, role).audio).wav, media_type="audio/wav")


def _picture(desk: Desk, request: Request, role: Role) -> Response:
    return Response(desk.sounds.show(desk.task(request, role).audio).spectrogram, media_type="image/png")
