"""Settings of all tests: helpers importable from this folder, hypothesis without chance or clock."""

import pathlib
import sys

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(pathlib.Path(__file__).parent))

# The same examples on every machine and every run; a slow, shared machine is no failure.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, max_examples=100, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("fixed")
