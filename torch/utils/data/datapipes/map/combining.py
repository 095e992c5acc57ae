"""Several pipes as one."""

from .._checks import length, require_kind
from .._decorator import functional_datapipe
from ..datapipe import MapDataPipe


class _Several(MapDataPipe):
    """What is made of several pipes."""

    def __init__(self, *datapipes):
        if not datapipes:
            raise ValueError("Expected at least one DataPipe, but got nothing")
        require_kind(datapipes, MapDataPipe, "Expected all inputs to be `MapDataPipe`")
        for pipe in datapipes:
            length(pipe, pipe)
        self.datapipes = datapipes


@functional_datapipe("concat")
class ConcaterMapDataPipe(_Several):
    """The items of the first pipe, then those of the second, and so on. IndexError for an index past the end."""

    def __getitem__(self, index):
        place = index
        for pipe in self.datapipes:
            if place < len(pipe):
                return pipe[place]
            place -= len(pipe)
        raise IndexError(f"Index {index} is out of range.")

    def __len__(self):
        return sum(len(pipe) for pipe in self.datapipes)


@functional_datapipe("zip")
class ZipperMapDataPipe(_Several):
    """Tuples of the items of one index. IndexError for an index that one of the pipes has not."""

    def __getitem__(self, index):
        row = []
        for pipe in self.datapipes:
            try:
                row.append(pipe[index])
            except IndexError as error:
                raise IndexError(f"Index {index} is out of range for one of the input MapDataPipes {pipe}.") from error
        return tuple(row)

    def __len__(self):
        return min(len(pipe) for pipe in self.datapipes)
