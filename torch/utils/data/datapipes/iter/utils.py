"""The beginning of a chain: any iterable."""

import copy
import warnings

from ..datapipe import IterDataPipe


class IterableWrapperIterDataPipe(IterDataPipe):
    """The items of an iterable; of a copy of it for each pass, so that nothing that is done to items reaches the next one,
    unless deepcopy is False or it cannot be copied (which a warning says)."""

    def __init__(self, iterable, deepcopy=True):
        self.iterable = iterable
        self.deepcopy = deepcopy

    def __iter__(self):
        items = self.iterable
        if self.deepcopy:
            try:
                items = copy.deepcopy(items)
            except TypeError:  # it holds what cannot be copied: a file, a generator
                warnings.warn(
                    "the iterable cannot be copied (deepcopy): what changes an element in place changes the source",
                    stacklevel=2,
                )
        yield from items

    def __len__(self):
        try:
            return len(self.iterable)
        except TypeError:
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length") from None
