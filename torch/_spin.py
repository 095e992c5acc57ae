"""How long threads of OpenMP without work wait in a loop before they sleep, on a core that somebody else may want."""

import os

# About what waking a thread costs (25 to 50 µs), so that nobody loses more than twice of it: benchmarks/contended.py.
# The runtime's own 300,000 (3 ms and more) are as fast on an idle machine, and several times slower on a shared one.
ROUNDS = "1000"
CHOSEN_BY = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")  # variables by which a user says it


class bounded_spin:
    """Where libgomp is loaded inside, it waits for ROUNDS, if the user has not said how long.

    It reads its environment once, when it is loaded, and has no function for this. os.environ never knows of the
    variable and the C library forgets it at the end, so that no child process inherits it.
    """

    def __enter__(self):
        self.chosen = any(name in os.environ for name in CHOSEN_BY)
        if not self.chosen:
            os.putenv("GOMP_SPINCOUNT", ROUNDS)

    def __exit__(self, *_):
        if not self.chosen:
            os.unsetenv("GOMP_SPINCOUNT")
