"""Pipes of what files hold."""

from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe


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
