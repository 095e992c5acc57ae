"""Pipes that leave items out."""

from .._checks import require_parameters, warn_of_local
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe
from .callable import _applied


@functional_datapipe("filter")
class FilterIterDataPipe(IterDataPipe):
    """The items for which filter_fn, of the item or of its parts at input_col, is True. ValueError if it is no bool."""

    def __init__(self, datapipe, filter_fn, input_col=None):
        warn_of_local(filter_fn)
        self.datapipe = datapipe
        self.filter_fn = filter_fn
        self.input_col = input_col
        require_parameters(filter_fn, input_col)

    def __iter__(self):
        for item in self.datapipe:
            kept = _applied(self.filter_fn, item, self.input_col)
            if not isinstance(kept, bool):
                raise ValueError(
                    f"Boolean output is required for `filter_fn` of {type(self).__name__}, got", type(kept)
                )
            if kept:
                yield item
