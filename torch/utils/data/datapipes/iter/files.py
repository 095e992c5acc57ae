"""Pipes of paths, of open files, and of what they hold."""

import fnmatch
import os

from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe
from .wrapper import IterableWrapperIterDataPipe


def _told(pipe):
    """The length that a pipe was told."""
    if pipe.length == -1:
        raise TypeError(f"{type(pipe).__name__} instance doesn't have valid length")
    return pipe.length


def _paths(root, masks, recursive, absolute):
    """The files in a folder whose names fit one of the masks, in the order of their names."""
    masks = [masks] if isinstance(masks, str) else masks

    def fits(name):
        return not masks or masks == [""] or any(fnmatch.fnmatch(name, mask) for mask in masks)

    def refused(error):
        raise error

    for folder, folders, names in os.walk(root, onerror=refused):
        folders.sort()
        here = os.path.abspath(folder) if absolute else folder
        yield from (os.path.join(here, name) for name in sorted(names) if fits(name))
        if not recursive:
            return


@functional_datapipe("list_files")
class FileListerIterDataPipe(IterDataPipe):
    """The paths of the files in folders: one, several, or those that a pipe yields; a path that is a file is itself.

    masks: patterns as a shell has them, one or a list; recursive: folders in folders too; abspath: absolute paths; length:
    what len() is."""

    def __init__(self, root=".", masks="", *, recursive=False, abspath=False, non_deterministic=False, length=-1):
        if isinstance(root, str):
            root = [root]
        self.datapipe = root if isinstance(root, IterDataPipe) else IterableWrapperIterDataPipe(root)
        self.masks = masks
        self.recursive = recursive
        self.abspath = abspath
        self.non_deterministic = non_deterministic
        self.length = length

    def __iter__(self):
        for path in self.datapipe:
            if os.path.isfile(path):
                yield os.path.abspath(path) if self.abspath else path
            else:
                yield from _paths(path, self.masks, self.recursive, self.abspath)

    def __len__(self):
        return _told(self)


@functional_datapipe("open_files")
class FileOpenerIterDataPipe(IterDataPipe):
    """Pairs of a path and the file, open for reading: mode is "r", "b", "t", "rb" or "rt". ValueError for others, and for
    an encoding of bytes; TypeError for a path that is no string."""

    def __init__(self, datapipe, mode="r", encoding=None, length=-1):
        if mode not in ("b", "t", "rb", "rt", "r"):
            raise ValueError(f"Invalid mode {mode}")
        if "b" in mode and encoding is not None:
            raise ValueError("binary mode doesn't take an encoding argument")
        self.datapipe = datapipe
        self.mode = mode if mode.startswith("r") else "r" + mode
        self.encoding = encoding
        self.length = length

    def __iter__(self):
        for path in self.datapipe:
            if not isinstance(path, str):
                raise TypeError(f"Expected string type for pathname, but got {type(path)}")
            # Whoever takes the pair closes the file: read_from_stream() does.
            yield path, open(path, self.mode, encoding=self.encoding)

    def __len__(self):
        return _told(self)


@functional_datapipe("read_from_stream")
class StreamReaderIterDataPipe(IterDataPipe):
    """Pairs of a path and what its file holds, or of pieces of it, `chunk` characters or bytes each. Closes the files."""

    def __init__(self, datapipe, chunk=None):
        self.datapipe = datapipe
        self.chunk = chunk

    def __iter__(self):
        for path, stream in self.datapipe:
            while data := stream.read(-1 if self.chunk is None else self.chunk):
                yield path, data
            stream.close()
