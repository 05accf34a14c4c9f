"""What an archive asks for beside the files: a deposit's metadata, a citation, a datasheet, from the release alone."""

from sonolake.releases.exports.deposit.folder import write_deposit

__all__ = ["write_deposit"]
