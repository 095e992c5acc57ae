"""Pipes that apply a function to each item."""

from .._checks import warn_of_local
from .._decorator import functional_datapipe
from ..datapipe import MapDataPipe


def default_fn(data):
    """The item itself."""
    return data


@functional_datapipe("map")
class MapperMapDataPipe(MapDataPipe):
    """fn of each item."""

    def __init__(self, datapipe, fn=default_fn):
        self.datapipe = datapipe
        warn_of_local(fn)
        self.fn = fn

    def __getitem__(self, index):
        return self.fn(self.datapipe[index])

    def __len__(self):
        return len(self.datapipe)
