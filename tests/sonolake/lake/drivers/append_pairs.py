"""Append ``count`` rows to two tables, a commit each, and say every number once it is acknowledged.

python append_pairs.py LAKE NAME COUNT
"""

import os
import sys

from sonolake import Lake

root, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Lake.open(root) as lake:
    os.write(1, b"ready\n")
    for n in range(count):
        item = f"{name}-{n}"
        with lake.transaction(f"row {item}", author=name) as tx:
            tx.append("assets", [{"asset_id": item, "title": name}])
            tx.append("judgements", [{"item": item, "question": "?", "answer": "y", "rater": name}])
        os.write(1, b"%d\n" % n)
