"""tqdm, where it is installed; else a bar of one line that is enough for a download."""

import sys


class _Bar:
    """How many bytes have come, on stderr."""

    def __init__(self, total=None, disable=False, unit=None, *args, **kwargs):
        self.total, self.disable, self.n = total, disable, 0

    def update(self, n):
        """`n` more have come."""
        if self.disable:
            return
        self.n += n
        share = f"{100 * self.n / self.total:.1f}%" if self.total else f"{self.n} bytes"
        sys.stderr.write(f"\r{share}")
        sys.stderr.flush()

    def set_description(self, *args, **kwargs):
        """No words are shown."""

    def write(self, s):
        """A line of its own."""
        sys.stderr.write(f"{s}\n")

    def close(self):
        """It ends its line."""
        if not self.disable:
            sys.stderr.write("\n")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


try:
    from tqdm import tqdm
except ImportError:
    tqdm = _Bar
