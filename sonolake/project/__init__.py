"""A team's own repository: banks, schedules, settings and a recipe of its own, around the library."""

from sonolake.project.scaffold import make_project

__all__ = ["make_project"]
