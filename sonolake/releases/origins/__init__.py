"""Where a release's files are read from: a folder, HTTP, S3. One protocol, a place a file."""

from sonolake.releases.origins.base import Origin, Patience, read_whole
from sonolake.releases.origins.folder import FolderOrigin
from sonolake.releases.origins.opening import open_origin, release_at

__all__ = ["FolderOrigin", "Origin", "Patience", "open_origin", "read_whole", "release_at"]
