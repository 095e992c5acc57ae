"""Pipes of open files."""

from .._checks import told_length
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe
from ..utils.common import get_file_binaries_from_pathnames


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
        # Whoever takes the pair closes the file: read_from_stream() does.
        yield from get_file_binaries_from_pathnames(self.datapipe, self.mode, self.encoding)

    def __len__(self):
        return told_length(self)
