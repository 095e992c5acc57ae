"""The beginning of a chain: a sequence or a mapping."""

import copy
import warnings

from ..datapipe import MapDataPipe


class SequenceWrapperMapDataPipe(MapDataPipe):
    """The items of a sequence or a mapping; of a copy of it, so that nothing that is done to items changes the original,
    unless deepcopy is False or it cannot be copied (which a warning says)."""

    def __init__(self, sequence, deepcopy=True):
        self.sequence = sequence
        if deepcopy:
            try:
                self.sequence = copy.deepcopy(sequence)
            except TypeError:  # it holds what cannot be copied: a file, a generator
                warnings.warn(
                    "the sequence cannot be copied (deepcopy): what changes an element in place changes the source",
                    stacklevel=2,
                )

    def __getitem__(self, index):
        return self.sequence[index]

    def __len__(self):
        return len(self.sequence)
