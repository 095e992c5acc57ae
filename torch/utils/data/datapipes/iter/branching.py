"""Pipes whose items several others have: each all of them, or each its own. They are read once, and what one branch has
not come to yet waits in a buffer."""

import collections
import copy
import warnings

from .._checks import warn_of_local
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe


class _ChildDataPipe(IterDataPipe):
    """A branch. All branches of a pipe make their passes together: a branch that begins its next one makes the others'
    iterators invalid, and they begin anew too."""

    def __init__(self, main_datapipe, instance_id):
        self.main_datapipe = main_datapipe
        self.instance_id = instance_id

    def __iter__(self):
        return self.main_datapipe.items_of(self.instance_id)

    def __len__(self):
        return len(self.main_datapipe)

    def _begin_with_siblings(self):
        """The number of this branch's pass, which is its siblings' if this branch has not made it yet."""
        main = self.main_datapipe
        if main._valid_iterator_id is None:
            main._valid_iterator_id = 0
        elif self._valid_iterator_id == main._valid_iterator_id:
            main._valid_iterator_id += 1
            if not main.is_exhausted():
                warnings.warn(
                    "Some child DataPipes are not exhausted when __iter__ is called. We are resetting the buffer and "
                    "each child DataPipe will read from the start again.",
                    stacklevel=4,
                )
            main.reset()
        self._valid_iterator_id = main._valid_iterator_id
        return self._valid_iterator_id


def _require_sizes(num_instances, buffer_size, name):
    if num_instances < 1:
        raise ValueError(f"Expected `num_instances` larger than 0, but {num_instances} is found")
    if buffer_size < 0:
        warnings.warn(
            f"Unlimited buffer size is set for `{name}`, please be aware of OOM at random places", stacklevel=4
        )


class _Trunk(IterDataPipe):
    """What branches read from."""

    def __init__(self, datapipe, num_instances, buffer_size):
        self.main_datapipe = datapipe
        self.num_instances = num_instances
        self.buffer_size = buffer_size
        self.reset()

    def reset(self):
        self._source = None  # the iterator that all branches read
        self._ended = False
        self._left = [True] * self.num_instances  # whether a branch is not at the end of its pass

    def is_exhausted(self):
        """Whether all branches have come to the end."""
        return self._ended and not any(self._left)

    def _read(self):
        """The next item, or StopIteration."""
        if self._source is None:
            self._source = iter(self.main_datapipe)
        try:
            return next(self._source)
        except StopIteration:
            self._ended = True
            raise

    def __getstate__(self):
        # A pass that is under way stays here: the copy begins its own.
        state = {name: value for name, value in self.__dict__.items() if name not in self._OF_A_PASS}
        return state if type(self).getstate_hook is None else type(self).getstate_hook(state)

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.reset()

    _OF_A_PASS = ("_source", "_ended", "_left", "_valid_iterator_id")


class _ForkerIterDataPipe(_Trunk):
    """`_items` are those from number `_first` on that a branch has not come to; `_at` is each branch's next number."""

    _OF_A_PASS = (*_Trunk._OF_A_PASS, "_items", "_first", "_at")

    def __init__(self, datapipe, num_instances, buffer_size=1000, copy=None):
        if copy not in _COPIES:
            raise ValueError(f"Unknown copy method `{copy}` requested, choose one of None, `shallow` or `deep`.")
        self._copy = copy
        super().__init__(datapipe, num_instances, buffer_size)

    def reset(self):
        super().reset()
        self._items = collections.deque()
        self._first = 0
        self._at = [0] * self.num_instances

    def __len__(self):
        return len(self.main_datapipe)

    def items_of(self, branch):
        """The items that a branch yields."""
        try:
            while True:
                place = self._at[branch] - self._first
                if place == len(self._items):
                    if self._ended:
                        return
                    try:
                        self._items.append(self._read())
                    except StopIteration:
                        return
                item = self._items[place]
                self._at[branch] += 1
                if min(self._at) > self._first:
                    self._items.popleft()
                    self._first += 1
                if 0 <= self.buffer_size < len(self._items):
                    raise BufferError(
                        f"ForkerIterDataPipe buffer overflow,buffer size {self.buffer_size} is insufficient."
                    )
                yield _COPIES[self._copy](item)
        finally:
            self._left[branch] = False


_COPIES = {None: lambda item: item, "shallow": copy.copy, "deep": copy.deepcopy}


@functional_datapipe("fork")
class ForkerIterDataPipe(IterDataPipe):
    """num_instances pipes, each with all items of `datapipe`, which is read once; of one, `datapipe` itself, in no list.

    An item waits until every branch has had it; BufferError if more than buffer_size do (-1: no limit). copy: "shallow" or
    "deep" copies for each branch, None: the same object for all. ValueError for fewer than one and for an unknown
    copy."""

    def __new__(cls, datapipe, num_instances, buffer_size=1000, copy=None):
        _require_sizes(num_instances, buffer_size, "fork")
        if num_instances == 1:
            return datapipe
        trunk = _ForkerIterDataPipe(datapipe, num_instances, buffer_size, copy)
        return [_ChildDataPipe(trunk, i) for i in range(num_instances)]


class _DemultiplexerIterDataPipe(_Trunk):
    """`_waiting` are the items that each branch has not come to."""

    _OF_A_PASS = (*_Trunk._OF_A_PASS, "_waiting")

    def __init__(self, datapipe, num_instances, classifier_fn, drop_none=False, buffer_size=1000):
        self.classifier_fn = classifier_fn
        self.drop_none = drop_none
        super().__init__(datapipe, num_instances, buffer_size)

    def reset(self):
        super().reset()
        self._waiting = [collections.deque() for _ in range(self.num_instances)]

    def _branch_of(self, item):
        """The branch that an item goes to, or None for none."""
        branch = self.classifier_fn(item)
        if branch is None and self.drop_none:
            return None
        if branch is None or not 0 <= branch < self.num_instances:
            raise ValueError(
                f"Output of the classification fn should be between 0 and {self.num_instances - 1}. {branch} is returned."
            )
        return branch

    def items_of(self, branch):
        """The items that a branch yields."""
        waiting = self._waiting[branch]
        try:
            while waiting or not self._ended:
                if waiting:
                    yield waiting.popleft()
                    continue
                try:
                    item = self._read()
                except StopIteration:
                    return
                to = self._branch_of(item)
                if to == branch:
                    yield item
                elif to is not None:
                    self._waiting[to].append(item)
                    if 0 <= self.buffer_size < sum(map(len, self._waiting)):
                        raise BufferError(
                            f"DemultiplexerIterDataPipe buffer overflow, buffer size {self.buffer_size} is insufficient."
                        )
        finally:
            self._left[branch] = False


@functional_datapipe("demux")
class DemultiplexerIterDataPipe(IterDataPipe):
    """num_instances pipes; each item of `datapipe`, which is read once, goes to the one whose number is
    classifier_fn(item), and to none if that is None and drop_none is set.

    BufferError if more than buffer_size items wait for the other branches (-1: no limit). ValueError for fewer than one
    branch, and for numbers of none."""

    def __new__(cls, datapipe, num_instances, classifier_fn, drop_none=False, buffer_size=1000):
        warn_of_local(classifier_fn)
        _require_sizes(num_instances, buffer_size, "demux")
        trunk = _DemultiplexerIterDataPipe(datapipe, num_instances, classifier_fn, drop_none, buffer_size)
        return [_ChildDataPipe(trunk, i) for i in range(num_instances)]
