"""Vetting of takes: people hear the candidates for a sound identifier and decide; what is mixed goes by it.

A decision is a row of ``judgements`` with the question ``audition:EVENT`` about an asset; the last one counts.
"""

from sonolake.audition.coverage import Coverage, coverage
from sonolake.audition.decisions import Decision, Kept, decisions_of
from sonolake.audition.takes import Take, takes_of

__all__ = ["Coverage", "Decision", "Kept", "Take", "coverage", "decisions_of", "takes_of"]
