"""Settings of all tests: helpers importable from this folder, hypothesis without chance or clock, parts of the tests for
processes side by side."""

import gc
import os
import pathlib
import re
import signal
import sys

import pytest
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

# Small against the tests of a file, so that all parts take about as long; not one, so that a file's fixtures serve many.
BLOCK = 32


def pytest_addoption(parser):
    parser.addoption(
        "--part",
        metavar="I/N",
        help="the Ith of N parts of the tests: N processes side by side need not be handed one test after the other, nor "
        "report each, which took pytest-xdist a third of the time of tests as short as most of these",
    )


def part_of(config):
    """(I, N), or None where all tests are to run."""
    part = config.getoption("part")
    if not part:
        return None
    numbers = re.fullmatch(r"(\d+)/(\d+)", part)
    if not numbers or not 1 <= int(numbers[1]) <= int(numbers[2]):
        raise pytest.UsageError(f"--part is {part!r}; it must be I/N with 1 <= I <= N")
    return int(numbers[1]), int(numbers[2])


def pytest_configure(config):
    part_of(config)  # a mistake is told before hundreds of files are read


def pytest_collection_modifyitems(config, items):
    if part := part_of(config):
        mine, parts = part[0] - 1, part[1]
        config.hook.pytest_deselected(items=[item for i, item in enumerate(items) if i // BLOCK % parts != mine])
        items[:] = [item for i, item in enumerate(items) if i // BLOCK % parts == mine]


def pytest_collection_finish():
    # Tens of thousands of tests stay until the end: looking at them took 0.4 s in each gc.collect() of a test.
    gc.collect()
    gc.freeze()
