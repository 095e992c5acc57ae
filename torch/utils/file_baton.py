"""A file that one process at a time may make: who finds it waits until it is gone."""

import os
import time
import warnings


class FileBaton:
    """A lock that is a file. `wait_seconds` lie between two looks; after `warn_after_seconds` there is a warning."""

    def __init__(self, lock_file_path, wait_seconds=0.1, warn_after_seconds=None):
        self.lock_file_path, self.wait_seconds, self.warn_after_seconds = (
            lock_file_path,
            wait_seconds,
            warn_after_seconds,
        )
        self.fd = None

    def try_acquire(self):
        """Makes the file, and returns whether it was not there."""
        try:
            self.fd = os.open(self.lock_file_path, os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            return False
        return True

    def wait(self):
        """Returns when the file is gone."""
        start, limit = time.monotonic(), self.warn_after_seconds
        while os.path.exists(self.lock_file_path):
            time.sleep(self.wait_seconds)
            if limit is not None and time.monotonic() - start > limit:
                warnings.warn(
                    f'Waited on lock file "{self.lock_file_path}" for {limit} seconds; who made it may have ended',
                    stacklevel=2,
                )
                limit = None

    def release(self):
        """Removes the file."""
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None
        os.remove(self.lock_file_path)
