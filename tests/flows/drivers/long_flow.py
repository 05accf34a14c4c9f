"""``python -m flows split`` whose work says that it has begun, and then lasts for as long as nobody ends it.

python long_flow.py LAKE
"""

import sys
import time

from flows import __main__ as command_line
from flows import splitting


def never_done(*_):
    sys.stdout.write("at work\n")
    sys.stdout.flush()
    time.sleep(600)


splitting.partition_assets = never_done
sys.argv = ["flows", "split", "--lake", sys.argv[1]]
command_line.main()
