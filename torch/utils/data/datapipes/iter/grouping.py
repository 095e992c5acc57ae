"""Pipes that put items together, and that take them apart."""

import collections

from .._checks import length, warn_of_local
from .._decorator import functional_datapipe
from ..datapipe import DataChunk, IterDataPipe


@functional_datapipe("batch")
class BatcherIterDataPipe(IterDataPipe):
    """Lists of batch_size items, as wrapper_class makes them; the last one may be shorter, unless drop_last.
    AssertionError for a batch_size below 1."""

    def __init__(self, datapipe, batch_size, drop_last=False, wrapper_class=DataChunk):
        if batch_size <= 0:
            raise AssertionError("Batch size is required to be larger than 0!")
        self.datapipe = datapipe
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.wrapper_class = wrapper_class

    def __iter__(self):
        batch = []
        for item in self.datapipe:
            batch.append(item)
            if len(batch) == self.batch_size:
                yield self.wrapper_class(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.wrapper_class(batch)

    def __len__(self):
        whole, rest = divmod(length(self.datapipe, self), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)


@functional_datapipe("unbatch")
class UnBatcherIterDataPipe(IterDataPipe):
    """The items of lists, of unbatch_level lists within one another; -1: of all. IndexError for what is not so deep,
    ValueError for a level below -1."""

    def __init__(self, datapipe, unbatch_level=1):
        self.datapipe = datapipe
        self.unbatch_level = unbatch_level

    def __iter__(self):
        for item in self.datapipe:
            yield from self._dive(item, self.unbatch_level)

    def _dive(self, item, level):
        if level < -1:
            raise ValueError("unbatch_level must be -1 or >= 0")
        if not isinstance(item, (list, DataChunk)):
            if level > 0:
                raise IndexError(f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe")
            yield item
        elif level == 0:
            yield item
        else:
            for part in item:
                yield from self._dive(part, level if level == -1 else level - 1)


@functional_datapipe("groupby")
class GrouperIterDataPipe(IterDataPipe):
    """Lists of the items for which group_key_fn is the same; with keep_key, pairs of it and the list.

    At most buffer_size items wait. A group is ready with group_size items; where the buffer is full, the largest group
    goes as it is if it has guaranteed_group_size items (group_size unless told), is dropped with drop_remaining, and else
    is a RuntimeError. What waits at the end comes in the order of the keys, but what is short of the guaranteed size with
    drop_remaining. AssertionError for sizes that contradict each other."""

    def __init__(
        self,
        datapipe,
        group_key_fn,
        *,
        keep_key=False,
        buffer_size=10000,
        group_size=None,
        guaranteed_group_size=None,
        drop_remaining=False,
    ):
        warn_of_local(group_key_fn)
        self.datapipe = datapipe
        self.group_key_fn = group_key_fn
        self.keep_key = keep_key
        self.max_buffer_size = buffer_size
        self.buffer_elements = collections.defaultdict(list)
        self.curr_buffer_size = 0
        self.group_size = group_size
        self.guaranteed_group_size = group_size
        if group_size is not None and buffer_size is not None and not 0 < group_size <= buffer_size:
            raise AssertionError("group_size must be > 0 and <= buffer_size")
        if guaranteed_group_size is not None:
            if group_size is None or not 0 < guaranteed_group_size <= group_size:
                raise AssertionError("guaranteed_group_size must be > 0 and <= group_size and group_size must be set")
            self.guaranteed_group_size = guaranteed_group_size
        self.drop_remaining = drop_remaining
        self.wrapper_class = DataChunk

    def reset(self):
        self.buffer_elements = collections.defaultdict(list)
        self.curr_buffer_size = 0

    def _taken(self, key):
        """The group of a key, out of the buffer."""
        items = self.buffer_elements.pop(key)
        self.curr_buffer_size -= len(items)
        group = self.wrapper_class(items)
        return (key, group) if self.keep_key else group

    def _make_room(self):
        """The largest group, out of the full buffer, or None if it is dropped."""
        key = max(self.buffer_elements, key=lambda key: len(self.buffer_elements[key]))
        size = len(self.buffer_elements[key])
        if self.guaranteed_group_size is None or size < self.guaranteed_group_size:
            if not self.drop_remaining:
                raise RuntimeError("Failed to group items", str(self.buffer_elements[key]))
            self._taken(key)
            return None
        return self._taken(key)

    def __iter__(self):
        for item in self.datapipe:
            key = self.group_key_fn(item)
            self.buffer_elements[key].append(item)
            self.curr_buffer_size += 1
            if self.group_size is not None and len(self.buffer_elements[key]) == self.group_size:
                yield self._taken(key)
            if self.curr_buffer_size == self.max_buffer_size:
                group = self._make_room()
                if group is not None:
                    yield group
        for key in list(self.buffer_elements):
            yield self._taken(key)

    def __getstate__(self):
        state = {**self.__dict__, "buffer_elements": collections.defaultdict(list), "curr_buffer_size": 0}
        return state if type(self).getstate_hook is None else type(self).getstate_hook(state)
