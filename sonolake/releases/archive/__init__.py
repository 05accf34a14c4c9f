"""Releases into an archive: a draft of a Zenodo deposit, which a person looks at and publishes."""

from sonolake.releases.archive.depositing import Deposited, deposit

__all__ = ["Deposited", "deposit"]
