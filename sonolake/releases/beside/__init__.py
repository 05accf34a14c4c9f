"""Pulling a version beside another: what that has need not be fetched."""

from sonolake.releases.beside.bringing import Bringer
from sonolake.releases.beside.stock import Stock, require_version, versions_beside

__all__ = ["Bringer", "Stock", "require_version", "versions_beside"]
