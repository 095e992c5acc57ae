"""Files that are either written whole or left as they were."""

import contextlib
import os
import stat


@contextlib.contextmanager
def replaced(path):
    """A new file that takes the place of `path` when all is written and on the disk. If anything fails before, `path`
    is what it was. The old file's permissions are kept; a symbolic link goes on pointing at the file."""
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    if os.path.isdir(path):
        raise RuntimeError(f"File {path} cannot be opened.")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):  # a device or a pipe has no place to take
        with open(path, "wb") as file:
            yield file
        return
    name = os.fsencode(path) if isinstance(path, str) else path
    base = os.path.basename(name)[:200]
    temporary = os.path.join(os.path.dirname(name), b".%s.%s.tmp" % (base, os.urandom(6).hex().encode()))
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with open(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, name)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    # The folder's entry must reach the disk, too.
    descriptor = os.open(os.path.dirname(name), os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # not every file system can
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
