"""Pipes that apply a function to each item, or to the parts of it that `input_col` names."""

from torch.utils.data._utils.collate import default_collate

from .._checks import length, require_parameters, warn_of_local
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe


def _applied(fn, item, input_col):
    """fn of an item, or of the parts of it at input_col: an index, a key, or a list of them."""
    if input_col is None:
        return fn(item)
    if isinstance(input_col, (list, tuple)):
        return fn(*(item[column] for column in input_col))
    return fn(item[input_col])


@functional_datapipe("map")
class MapperIterDataPipe(IterDataPipe):
    """fn of each item, or of its parts at input_col; the result takes their place, the first one's of several, or the place
    output_col, where -1 is a new one at the end. ValueError for columns, or numbers of parameters, that do not fit."""

    def __init__(self, datapipe, fn, input_col=None, output_col=None):
        warn_of_local(fn)
        self.datapipe = datapipe
        self.fn = fn
        self.input_col = input_col
        if input_col is None and output_col is not None:
            raise ValueError("`output_col` must be None when `input_col` is None.")
        if isinstance(output_col, (list, tuple)):
            if len(output_col) != 1:
                raise ValueError("`output_col` must be a single-element list or tuple")
            output_col = output_col[0]
        self.output_col = output_col
        require_parameters(fn, input_col)

    def _apply_fn(self, item):
        result = _applied(self.fn, item, self.input_col)
        if self.input_col is None:
            return result
        # A tuple is changed as a list and becomes one again; any other item is changed in place.
        parts = list(item) if isinstance(item, tuple) else item
        if self.output_col == -1:
            parts.append(result)
        elif self.output_col is not None:
            parts[self.output_col] = result
        elif isinstance(self.input_col, (list, tuple)):
            first, *rest = self.input_col
            parts[first] = result
            for column in sorted(rest, reverse=True):
                del parts[column]
        else:
            parts[self.input_col] = result
        return tuple(parts) if isinstance(item, tuple) else parts

    def __iter__(self):
        for item in self.datapipe:
            yield self._apply_fn(item)

    def __len__(self):
        return length(self.datapipe, self)


@functional_datapipe("collate")
class CollatorIterDataPipe(MapperIterDataPipe):
    """A tensor, or a tree of them, of each item, which is a batch: collate_fn or conversion, either a function of a batch;
    default_collate if neither is given."""

    def __init__(self, datapipe, conversion=default_collate, collate_fn=None):
        super().__init__(datapipe, fn=conversion if collate_fn is None else collate_fn)
