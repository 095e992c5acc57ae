"""References to objects that do not keep them alive, and dictionaries with such keys, compared by identity: a tensor's `==`
compares elements, so that ordinary dictionaries with weak keys cannot hold tensors."""

from __future__ import annotations

import collections.abc
import contextlib
import copy as _copy
import weakref

from torch import Tensor

__all__ = ["TensorWeakRef", "WeakIdRef", "WeakIdKeyDictionary", "WeakTensorKeyDictionary"]

_GONE = object()


class WeakIdRef(weakref.ref):
    """A weak reference that is equal to others of the same object, and has its identity for a hash."""

    __slots__ = ["_id"]

    def __init__(self, key, callback=None) -> None:
        self._id = id(key)
        super().__init__(key, callback)

    def __call__(self):
        found = super().__call__()
        if isinstance(found, Tensor) and hasattr(found, "_fix_weakref"):
            found._fix_weakref()
        return found

    def __hash__(self):
        return self._id

    def __eq__(self, other):
        mine, others = self(), other()
        if mine is not None and others is not None:
            return mine is others
        return self is other  # of objects that are gone nothing is known


class _WeakHashRef(weakref.ref):
    """A weak reference that is equal to others of equal objects, while these live."""

    __slots__ = ["_hash"]

    def __init__(self, key, callback=None):
        self._hash = hash(key)
        super().__init__(key, callback)

    def __hash__(self):
        return self._hash

    def __eq__(self, other):
        mine, others = self(), other()
        if mine is not None and others is not None:
            return mine == others
        return self is other


class WeakIdKeyDictionary(collections.abc.MutableMapping):
    """A dictionary whose keys are compared by identity and vanish with their objects. `ref_type`: what holds a key."""

    def __init__(self, dict=None, ref_type=WeakIdRef) -> None:  # noqa: A002 - the name it has
        self.data = {}
        self.ref_type = ref_type
        self._iterating = 0
        self._pending = []
        owner = weakref.ref(self)

        def remove(reference):
            it = owner()
            if it is None:
                return
            if it._iterating:
                it._pending.append(reference)
            else:
                it.data.pop(reference, None)

        self._remove = remove
        if dict is not None:
            self.update(dict)

    @contextlib.contextmanager
    def _steady(self):
        """Keys whose objects die meanwhile stay in the dictionary until the end: a loop must not see its size change."""
        self._iterating += 1
        try:
            yield
        finally:
            self._iterating -= 1
            if not self._iterating:
                self._commit_removals()

    def _commit_removals(self):
        while self._pending:
            self.data.pop(self._pending.pop(), None)

    def _living(self):
        with self._steady():
            for reference, value in self.data.items():
                key = reference()
                if key is not None:
                    yield key, value

    def __delitem__(self, key) -> None:
        del self.data[self.ref_type(key)]

    def __getitem__(self, key):
        return self.data[self.ref_type(key)]

    def __setitem__(self, key, value) -> None:
        self.data[self.ref_type(key, self._remove)] = value

    def __len__(self) -> int:
        return len(self.data) - len(self._pending)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x}>"

    def __contains__(self, key) -> bool:
        try:
            return self.ref_type(key) in self.data
        except TypeError:  # of what there are no weak references
            return False

    def __iter__(self):
        return (key for key, _ in self._living())

    def keys(self):
        """The keys whose objects live, one by one."""
        return iter(self)

    def values(self):
        return (value for _, value in self._living())

    def items(self):
        return self._living()

    def keyrefs(self):
        """The references themselves; any of them may be dead when it is used."""
        return list(self.data)

    def get(self, key, default=None):
        return self.data.get(self.ref_type(key), default)

    def popitem(self):
        while True:
            reference, value = self.data.popitem()
            key = reference()
            if key is not None:
                return key, value

    def pop(self, key, *args):
        return self.data.pop(self.ref_type(key), *args)

    def setdefault(self, key, default=None):
        return self.data.setdefault(self.ref_type(key, self._remove), default)

    def update(self, dict=None, **kwargs) -> None:  # noqa: A002
        if dict is not None:
            pairs = dict.items() if hasattr(dict, "items") else _pairs(dict)
            for key, value in pairs:
                self[key] = value
        if kwargs:
            raise TypeError(f"strings cannot be weak keys: {', '.join(kwargs)}")

    def copy(self):
        made = type(self)(ref_type=self.ref_type)
        for key, value in self._living():
            made[key] = value
        return made

    __copy__ = copy

    def __deepcopy__(self, memo):
        """The same keys, with copies of the values."""
        made = type(self)(ref_type=self.ref_type)
        for key, value in self._living():
            made[key] = _copy.deepcopy(value, memo)
        return made

    def __ior__(self, other):
        self.update(other)
        return self

    def __or__(self, other):
        if not isinstance(other, collections.abc.Mapping):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other):
        if not isinstance(other, collections.abc.Mapping):
            return NotImplemented
        made = type(self)(ref_type=self.ref_type)
        made.update(other)
        made.update(self)
        return made

    def __eq__(self, other):
        """Whether another mapping has values equal to these for the very same keys."""
        if not isinstance(other, collections.abc.Mapping):
            return NotImplemented
        return {id(key): value for key, value in self.items()} == {id(key): value for key, value in other.items()}

    __hash__ = None


def _pairs(given):
    if hasattr(given, "keys"):
        return ((key, given[key]) for key in given.keys())  # noqa: SIM118 - all that it promises
    return given


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor: calling it gives the tensor, or None when it is gone."""

    def __init__(self, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}")
        self.ref = weakref.ref(tensor)

    def __call__(self):
        found = self.ref()
        if found is not None and hasattr(found, "_fix_weakref"):
            found._fix_weakref()
        return found
