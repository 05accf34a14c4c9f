"""From the record of an item and the sounds of a lake to the item as it is heard: what flows run, and what rebuilds run
again."""
