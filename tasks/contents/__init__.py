"""What a release holds: the tables of each data set, read at one snapshot of the lake."""

from tasks.contents.release import content_of

__all__ = ["content_of"]
