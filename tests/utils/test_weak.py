"""torch.utils.weak: keys by identity, gone with their objects. (The same statements hold of PyTorch 2.13.)"""

import copy
import gc

import pytest
import torch
from torch.utils.weak import TensorWeakRef, WeakIdKeyDictionary, WeakIdRef, WeakTensorKeyDictionary, _WeakHashRef


def test_keys_are_compared_by_identity():
    a, b = torch.ones(2), torch.ones(2)
    d = WeakTensorKeyDictionary()
    d[a], d[b] = 1, 2
    assert len(d) == 2 and d[a] == 1 and d[b] == 2 and a in d
    assert torch.ones(2) not in d and 3 not in d
    assert d.get(torch.ones(2), "none") == "none"
    with pytest.raises(KeyError):
        d[torch.ones(2)]


def test_entries_vanish_with_their_keys():
    d = WeakTensorKeyDictionary()
    a, b = torch.ones(1), torch.zeros(1)
    d[a] = d[b] = "x"
    del a
    gc.collect()
    assert len(d) == 1 and [key is b for key in d] == [True]


def test_a_loop_survives_keys_that_die():
    tensors = [torch.full((1,), i) for i in range(4)]
    d = WeakTensorKeyDictionary({t: i for i, t in enumerate(tensors)})
    seen = []
    for key, value in d.items():
        seen.append(value)
        del key
        tensors.clear()
    assert seen == [0]
    assert len(d) == 0 and list(d.keyrefs()) == []


def test_dictionary_methods():
    a, b, c = torch.ones(1), torch.ones(1), torch.ones(1)
    d = WeakIdKeyDictionary({a: 1})
    assert d.setdefault(a, 5) == 1 and d.setdefault(b, 2) == 2
    assert d.pop(a) == 1 and d.pop(a, None) is None
    with pytest.raises(KeyError):
        d.pop(a)
    d |= {a: 7}
    both = d | {c: 3}
    assert sorted(both.values()) == [2, 3, 7] and len(d) == 2
    assert {c: 3} | d == both
    assert d.copy() == d and d.copy() is not d and d != both
    deep = copy.deepcopy(WeakIdKeyDictionary({a: [1]}))
    assert deep[a] == [1]
    key, value = deep.popitem()
    assert key is a and value == [1] and not deep


def test_references():
    a = torch.ones(1)
    first, second = WeakIdRef(a), WeakIdRef(a)
    assert first == second and hash(first) == hash(second) == id(a) and first() is a
    assert not first == WeakIdRef(torch.ones(1))  # noqa: SIM201 - `!=` is of weakref.ref, by elements
    ref = TensorWeakRef(a)
    assert ref() is a
    del a
    gc.collect()
    assert ref() is None and first() is None and not first == second and first == first  # noqa: PLR0124, SIM201
    with pytest.raises(AssertionError, match=r"expected torch.Tensor, got <class 'int'>"):
        TensorWeakRef(3)


def test_references_by_value():
    class Key:
        def __eq__(self, other):
            return isinstance(other, Key)

        def __hash__(self):
            return 7

    a, b = Key(), Key()
    d = WeakIdKeyDictionary(ref_type=_WeakHashRef)
    d[a] = 1
    assert d[b] == 1 and len(d) == 1
