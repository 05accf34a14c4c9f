"""Ingest a folder of takes, and say every batch once it is acknowledged.

python ingest_folder.py LAKE FOLDER [reverse]
"""

import os
import sys
from pathlib import Path

from sonolake import Lake, running
from sonolake.lake.step import batches
from sonolake.sources.folder import read_folder
from sonolake.sources.ingest import Ingest
from sonolake.sources.intake import Intake

with Lake.create(sys.argv[1]) as lake, running(lake, "ingest-takes") as run:
    found = read_folder(Path(sys.argv[2]))
    items = sorted([*found.items, *found.refusals], key=lambda i: i.item, reverse="reverse" in sys.argv)
    ingest = Ingest(run, Intake("take", licence="CC0-1.0"))
    for batch in batches(items, 20):
        ingest.take(batch)
        os.write(1, b"batch\n")
