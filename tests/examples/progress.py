"""The line of progress that examples show: python tests/examples/progress.py EXAMPLES."""

import contextlib
import io
import sys

sys.path.insert(0, sys.argv[1])
import common


def shown(steps, seconds):
    """What Progress prints of steps that take so long each, on a stream that is no terminal."""
    now, text = [0.0], io.StringIO()
    common.time.perf_counter = lambda: now[0]
    with contextlib.redirect_stderr(text):
        for step in common.Progress(steps, "steps"):
            now[0] += seconds(step)
    return text.getvalue().splitlines()


# The first step takes as long as thirty others: no estimate is made of it, and it is not long before there is one.
lines = shown(100, lambda step: 30.0 if step == 0 else 1.0)
assert lines[0].split()[3:6] == ["98", "s", "left"], lines[0]
assert len(lines) == 10 and "\r" not in "".join(lines), lines
# Short work prints nothing.
assert not shown(9, lambda step: 1.0)
print("a line every ten seconds, with the time that is left")
