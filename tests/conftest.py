"""Settings of all tests: helpers importable from this folder, hypothesis without chance or clock."""

import os
import pathlib
import signal
import sys

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(pathlib.Path(__file__).parent))

# What a shell starts in the background is deaf to Ctrl-C, and so would be every process that a test starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every machine and every run; a slow, shared machine is no failure.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, max_examples=100, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("fixed")

# Calls of kernels are counted (tests/slots) where SLOT_TABLES names some, separated by ':', and SLOT_COUNTS a folder.
if "SLOT_TABLES" in os.environ:
    from slots import counting

    counting.start(os.environ["SLOT_TABLES"].split(":"), os.environ["SLOT_COUNTS"])
