"""One tensor is one Python object for as long as either lives, through C++ and back.

C++ is played by ctypes: a reference to a tensor that Python cannot see, dropped without the interpreter's lock.
"""

import ctypes
import gc
import pathlib
import threading
import weakref

import pytest
import torch

LIBRARIES = pathlib.Path(torch.__file__).parent / "lib"
TH = ctypes.CDLL(str(LIBRARIES / "libTH.so.1"))  # its calls are made without the lock
BINDINGS = ctypes.PyDLL(str(LIBRARIES / "libtorch_python.so.1"))
tensor_in = BINDINGS["_ZN5torch6python9tensor_inEP7_object"]
tensor_in.argtypes, tensor_in.restype = [ctypes.py_object], ctypes.c_void_p
object_of = BINDINGS["_ZN5torch6python9object_ofERKN4thpp6TensorE"]
object_of.argtypes, object_of.restype = [ctypes.POINTER(ctypes.c_void_p)], ctypes.py_object
TH.THTensor_retain.argtypes = TH.THTensor_free.argtypes = [ctypes.c_void_p]


class Kept:
    """A reference that C++ holds."""

    def __init__(self, tensor):
        self.address = ctypes.c_void_p.from_address(tensor_in(tensor)).value
        TH.THTensor_retain(self.address)

    def given_back(self):
        return object_of(ctypes.c_void_p(self.address))

    def drop(self):
        TH.THTensor_free(self.address)


class Derived(torch.Tensor):
    """With everything that Python can attach to an object."""

    __slots__ = ("slot",)
    ended = 0

    def __del__(self):
        Derived.ended += 1


def make_derived():
    tensor = torch.ones(2, 3).as_subclass(Derived)
    tensor.slot, tensor.name = [1], "x"
    Derived.ended = 0
    return tensor


def test_given_back_is_the_same_object():
    x = torch.ones(3)
    kept = Kept(x)
    assert kept.given_back() is x
    assert kept.given_back() is kept.given_back()
    kept.drop()
    assert x.tolist() == [1, 1, 1]


def test_a_plain_object_may_die_before_its_tensor():
    kept = Kept(torch.arange(3))
    again = kept.given_back()
    assert again is kept.given_back()
    assert again.tolist() == [0, 1, 2]
    kept.drop()
    assert again.tolist() == [0, 1, 2]


def test_attributes_survive():
    x = torch.ones(3)
    x.name, x.list = "x", [1]
    attributes, address, kept = x.__dict__, id(x), Kept(x)
    for _ in range(3):  # there and back as often as one likes
        del x
        gc.collect()
        x = kept.given_back()
        assert id(x) == address
        assert x.__dict__ is attributes == {"name": "x", "list": [1]}
    kept.drop()
    assert x.name == "x"


def test_derived_types_survive():
    derived = make_derived()
    kept = Kept(derived)
    for _ in range(3):
        del derived
        gc.collect()
        assert Derived.ended == 0
        derived = kept.given_back()
        assert type(derived) is Derived
        assert derived.slot == [1]
        assert derived.name == "x"
    kept.drop()
    del derived
    assert Derived.ended == 1


def test_dropping_the_last_reference_in_cpp_ends_both():
    derived = make_derived()

    class Noted:
        pass

    derived.attribute, kept = Noted(), Kept(derived)
    attribute = weakref.ref(derived.attribute)
    del derived
    assert attribute() is not None
    kept.drop()
    assert attribute() is None
    assert Derived.ended == 1


def test_weak_references():
    x = torch.ones(3)
    kept, calls = Kept(x), []
    weak = weakref.ref(x, calls.append)
    del x
    gc.collect()
    x = weak()  # C++ keeps the object alive
    assert x is kept.given_back()
    kept.drop()  # and Python's own reference now does
    assert weak() is x
    assert x.tolist() == [1, 1, 1]
    assert not calls
    del x
    assert weak() is None
    assert calls == [weak]


def test_a_finaliser_may_keep_the_object():
    class Stubborn(torch.Tensor):
        def __del__(self):
            rescued.append(self)

    rescued = []
    x = torch.ones(3).as_subclass(Stubborn)
    x.name = "x"
    kept = Kept(x)
    del x
    assert not rescued
    kept.drop()
    (x,) = rescued
    assert x.name == "x"
    assert x.sum() == 3
    kept = Kept(x)
    assert kept.given_back() is x
    kept.drop()


def test_a_finaliser_may_use_the_tensor():
    class Last(torch.Tensor):
        def __del__(self):
            seen.append((self.contiguous() is self, self.tolist()))

    seen = []
    torch.ones(2).as_subclass(Last)
    assert seen == [(True, [1, 1])]


@pytest.mark.parametrize("make", [torch.ones, lambda n: torch.ones(n).as_subclass(Derived)])
def test_cycles_are_collected(make):
    x, y = make(3), make(4)
    x.self, x.other, y.others = x, y, [x]
    weak = [weakref.ref(x), weakref.ref(y)]
    del x, y
    gc.collect()
    assert [w() for w in weak] == [None, None]


@pytest.mark.parametrize("make", [torch.ones, lambda n: torch.ones(n).as_subclass(Derived)])
def test_cycles_are_left_alone_while_cpp_holds_the_tensor(make):
    class Node:
        pass

    x = make(3)
    x.self, x.node = x, Node()
    x.node.tensor = x
    kept, weak = Kept(x), weakref.ref(x)
    del x
    gc.collect()
    x = kept.given_back()
    assert x.self is x
    assert x.node.tensor is x
    del x
    gc.collect()
    kept.drop()
    gc.collect()
    assert weak() is None


def test_long_chains_end():
    first = last = torch.ones(1)
    for _ in range(50_000):
        last.next = torch.ones(1)
        last = last.next
    del first, last


def test_freed_by_threads_without_the_lock():
    class Noted:
        pass

    def work(part):
        barrier.wait()
        for kept in part:
            kept.drop()

    for _ in range(20):
        objects = [torch.ones(2) for _ in range(50)]
        for x in objects:
            x.attribute = Noted()
        weak = [weakref.ref(x.attribute) for x in objects]
        held = [Kept(x) for x in objects for _ in range(3)]
        del objects, x
        assert all(w() is not None for w in weak)
        barrier = threading.Barrier(3)
        threads = [threading.Thread(target=work, args=(held[k::3],)) for k in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [w() for w in weak] == [None] * len(weak)


def test_found_by_a_weak_reference_while_another_thread_drops_it():
    for _ in range(300):
        x = torch.ones(2)
        x.attribute = 1
        weak, kept = weakref.ref(x), Kept(x)
        del x
        thread = threading.Thread(target=kept.drop)
        thread.start()
        found = weak()
        if found is not None:
            assert found.attribute == 1
            assert (found + 1).tolist() == [2, 2]
        thread.join()
        if found is not None:
            assert found.tolist() == [1, 1]
        del found
        assert weak() is None


def test_nothing_leaks():
    def work(times):
        for _ in range(times):
            x = torch.ones(50_000)
            x.name = "x"
            kept = Kept(x)
            del x
            x = kept.given_back()
            del x
            kept.drop()

    def resident():
        gc.collect()
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096

    work(50)
    before = resident()
    work(2000)  # 400 MB, if they stayed
    assert resident() - before < 40 * 2**20


# ---- operators that give their argument -----------------------------------------------------------
@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.contiguous(),
        lambda x: x.to(torch.float32),
        lambda x: x.float(),
        lambda x: x.cpu(),
        lambda x: x.type_as(x),
        lambda x: x.add_(1),
        lambda x: torch.add(x, 1, out=x),
        lambda x: x.real,
        lambda x: torch.atleast_1d(x),
        lambda x: torch.atleast_2d(x, x)[0],
        lambda x: x.conj(),
        lambda x: torch.as_tensor(x),
        lambda x: torch.broadcast_tensors(x, x)[0],
        lambda x: +x,
    ],
)
@pytest.mark.parametrize("type", [torch.Tensor, Derived])
def test_same_object(call, type):
    x = torch.ones(2, 2).as_subclass(type)
    x.name = "x"
    with torch._C.DisableTorchFunctionSubclass():
        assert call(x) is x


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.detach(),
        lambda x: x.data,
        lambda x: x.view(2, 2),
        lambda x: x[...],
        lambda x: x[:],
        lambda x: x.expand(2, 2),
        lambda x: x.squeeze(),
        lambda x: x.alias() if hasattr(x, "alias") else x.view_as(x),
        lambda x: torch.Tensor(x),
        lambda x: x.as_subclass(torch.Tensor),
        lambda x: torch.unbind(x[None])[0],
    ],
)
def test_another_object(call):
    x = torch.ones(2, 2)
    x.name = "x"
    y = call(x)
    assert y is not x
    assert y.data_ptr() == x.data_ptr()
    assert not hasattr(y, "name")


# ---- x.data = y -------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", [torch.float32, torch.int8, torch.complex128])
def test_data_is_assigned_in_place(dtype):
    derived = make_derived()
    y = torch.arange(4).to(dtype).view(4, 1)
    kept, view = Kept(derived), derived[0]
    derived.data = y
    assert kept.given_back() is derived
    assert type(derived) is Derived
    assert derived.name == "x"
    assert derived.dtype == dtype
    assert derived.shape == (4, 1)
    assert derived.data_ptr() == y.data_ptr()
    assert view.tolist() == [1, 1, 1]
    assert y.shape == (4, 1)
    kept.drop()


def test_data_refuses_what_is_no_tensor():
    x = torch.ones(2)
    for value in (3, None, [1.0]):
        with pytest.raises(TypeError, match="Variable data has to be a tensor, but got"):
            x.data = value
    with pytest.raises(RuntimeError, match="Deleting tensor data is not allowed"):
        del x.data
    assert x.tolist() == [1, 1]


def test_metatype():
    assert type(torch.Tensor) is torch._C._TensorMeta
    assert type(Derived) is torch._C._TensorMeta
