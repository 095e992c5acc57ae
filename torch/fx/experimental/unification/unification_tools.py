"""Functions of dicts and sequences."""

import collections
import operator
from functools import reduce

__all__ = [
    "assoc",
    "assoc_in",
    "dissoc",
    "get_in",
    "itemfilter",
    "itemmap",
    "keyfilter",
    "keymap",
    "merge",
    "merge_with",
    "update_in",
    "valfilter",
    "valmap",
]


def _single(dicts):
    return dicts[0] if len(dicts) == 1 and not isinstance(dicts[0], collections.abc.Mapping) else dicts


def merge(*dicts, factory=dict):
    """One dict of several; later ones count."""
    made = factory()
    for d in _single(dicts):
        made.update(d)
    return made


def merge_with(func, *dicts, factory=dict):
    """One dict of several; func(list of values) for each key."""
    lists = {}
    for d in _single(dicts):
        for key, value in d.items():
            lists.setdefault(key, []).append(value)
    made = factory()
    made.update((key, func(values)) for key, values in lists.items())
    return made


def _made(pairs, factory):
    made = factory()
    made.update(pairs)
    return made


def valmap(func, d, factory=dict):
    """{key: func(value)}"""
    return _made(((k, func(v)) for k, v in d.items()), factory)


def keymap(func, d, factory=dict):
    """{func(key): value}"""
    return _made(((func(k), v) for k, v in d.items()), factory)


def itemmap(func, d, factory=dict):
    """The dict of func((key, value)), pairs."""
    return _made(map(func, d.items()), factory)


def valfilter(predicate, d, factory=dict):
    """The items whose values are wanted."""
    return _made(((k, v) for k, v in d.items() if predicate(v)), factory)


def keyfilter(predicate, d, factory=dict):
    """The items whose keys are wanted."""
    return _made(((k, v) for k, v in d.items() if predicate(k)), factory)


def itemfilter(predicate, d, factory=dict):
    """The items that are wanted."""
    return _made((item for item in d.items() if predicate(item)), factory)


def assoc(d, key, value, factory=dict):
    """A copy with a further item."""
    made = factory()
    made.update(d)
    made[key] = value
    return made


def dissoc(d, *keys, factory=dict):
    """A copy without these keys."""
    return _made(((k, v) for k, v in d.items() if k not in keys), factory)


def assoc_in(d, keys, value, factory=dict):
    """A copy with a value at the end of a path of keys."""
    return update_in(d, keys, lambda x: value, value, factory)


def update_in(d, keys, func, default=None, factory=dict):
    """A copy with func(value) at the end of a path of keys."""
    key, *rest = keys
    made = _made(d.items(), factory)
    if rest:
        made[key] = update_in(d.get(key, factory()), rest, func, default, factory)
    else:
        made[key] = func(d[key]) if key in d else func(default)
    return made


def get_in(keys, coll, default=None, no_default=False):
    """The value at the end of a path of keys or indices."""
    try:
        return reduce(operator.getitem, keys, coll)
    except (KeyError, IndexError, TypeError):
        if no_default:
            raise
        return default


def first(seq):
    """The first element."""
    return next(iter(seq))


def getter(index):
    """A function that takes one element, or those of a list of indices."""
    if not isinstance(index, list):
        return operator.itemgetter(index)
    if len(index) == 1:
        return lambda x: (x[index[0]],)
    return operator.itemgetter(*index) if index else lambda x: ()


def groupby(key, seq):
    """{key(element): [elements]}"""
    key = key if callable(key) else getter(key)
    made = {}
    for item in seq:
        made.setdefault(key(item), []).append(item)
    return made
