"""What one bank says about another must be there."""

from __future__ import annotations

from collections.abc import Mapping

from sonolake.cares.banks.model import ANYWHERE, RARE, VOCAL, Banks
from sonolake.cares.banks.source import Entry
from sonolake.cares.records import REACTIONS
from sonolake.errors import InvalidInput


def check_references(banks: Banks, entries: Mapping[str, Mapping[str, Entry]]) -> None:
    """Refuse names of one bank that another does not have.

    Raises:
        InvalidInput: with the line of the row that speaks of something unknown.
    """
    places = set(banks.locations)
    spaces = places | {*ANYWHERE, RARE, VOCAL}
    for event_id, sound in banks.sounds.items():
        if sound.namespace not in spaces:
            where = entries["events"][event_id].where("event_id")
            raise InvalidInput(where, f"a namespace out of {sorted(spaces)}", event_id)
    for event_id, place in sorted(banks.forbidden):
        if event_id not in banks.sounds or place not in places:
            where = entries["forbidden"][event_id].where("locations")
            raise InvalidInput(where, "known events and locations", (event_id, place))
    for tag in banks.tags.values():
        if tag.vocal and tag.vocal not in banks.sounds:
            raise InvalidInput(entries["tags"][tag.tag].where("vocal"), "an event of the bank", tag.vocal)
    for reaction in banks.reactions.values():
        used = {tag for register in reaction.registers for tag in register.tags}
        known = {tag for tag in used if tag in banks.tags and banks.tags[tag].becomes == "delivery"}
        if used != known:
            where = entries["reactions"][reaction.reaction].where("tags")
            raise InvalidInput(where, "known tags of delivery", sorted(used - known))
    if missing := [name for name in REACTIONS if name not in banks.reactions]:
        raise InvalidInput("reactions.json", f"all of {REACTIONS}", f"no {missing}")
