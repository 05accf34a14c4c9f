"""Taking something down: out of the lake, out of its releases, for good."""

from sonolake.releases.takedown.doing import TakenDown, take_down
from sonolake.releases.takedown.held import Held
from sonolake.releases.takedown.plan import Plan, plan_of
from sonolake.releases.takedown.proof import Looked, prove_gone
from sonolake.releases.takedown.target import Target

__all__ = ["Held", "Looked", "Plan", "TakenDown", "Target", "plan_of", "prove_gone", "take_down"]
