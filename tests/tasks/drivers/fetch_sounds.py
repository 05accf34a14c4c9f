"""Take what a search on Freesound finds, eight sounds a batch, and say every batch once it is acknowledged.

python fetch_sounds.py LAKE WORDS

Nobody waits long here: what would be a minute is a hundredth of a second.
"""

import os
import sys
import time

really = time.sleep
time.sleep = lambda seconds: really(min(seconds, 0.01))

from sonolake.lake.run import running  # noqa: E402
from sonolake.lake.step import batches  # noqa: E402
from sonolake.sources.freesound import Search  # noqa: E402
from sonolake.sources.intake import Intake  # noqa: E402
from tasks.fetching import fetch_batch, find_sounds  # noqa: E402
from tasks.opening import lake_at  # noqa: E402

lake, words = sys.argv[1:]
intake, search = Intake("take"), Search(event="shared/dog_bark")
with running(lake_at(lake), intake.step) as run:
    found = find_sounds.fn(lake, intake, words, search)
    for chunk in batches(found.entries, 8):
        fetch_batch.fn(lake, run.run_id, intake, chunk, search)
        os.write(1, b"batch\n")
