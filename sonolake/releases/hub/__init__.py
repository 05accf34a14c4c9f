"""Releases out to a hub: a data set repository of Hugging Face, each version a commit with a tag of its own."""

from sonolake.releases.hub.address import repository_in
from sonolake.releases.hub.pushing import Pushed, push

__all__ = ["Pushed", "push", "repository_in"]
