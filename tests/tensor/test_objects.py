"""Tensors, sizes and types as Python objects: constructors of 2017, numbers of NumPy as arguments, operators between
types, what an index may be, copies and pickles."""

import copy
import pickle
import warnings

import numpy as np
import pytest
import torch
from strategies import DTYPES

A = torch.arange(6.0).view(2, 3)
I = torch.arange(6).view(2, 3)  # noqa: E741


# ---- constructors of 2017 ----------------------------------------------------------------------------------
MAKERS = [torch.Tensor, A.new, torch.FloatTensor]


@pytest.mark.parametrize("make", MAKERS)
def test_old_constructors(make):
    assert make().shape == (0,) and make(2, 3).shape == (2, 3) and make(torch.Size([1, 2])).shape == (1, 2)
    for got in (make([1, 2]), make((1, 2)), make(np.array([1, 2])), make(range(1, 3)), make(torch.tensor([1.0, 2.0]))):
        assert got.dtype == torch.float32 and got.tolist() == [1, 2]
    assert make(np.int64(3)).shape == (3,) and make(torch.tensor(2), 3).shape == (2, 3)
    assert make(2, device="cpu").shape == (2,) and make(device="cpu").shape == (0,)
    assert make(size=(2, 3)).shape == (2, 3) and make(data=[1, 2]).tolist() == [1, 2]
    assert make(A).data_ptr() == A.data_ptr() and make([[1], [2]]).shape == (2, 1)
    for wrong in (2.5, "x", None, 1j):
        with pytest.raises(TypeError):
            make(wrong)
    for arguments in (([1], [2]), (2, "x"), (2, 2.5)):
        with pytest.raises(TypeError):
            make(*arguments)
    with pytest.raises(RuntimeError):
        make(-1)
    with pytest.raises(RuntimeError, match="device type"):
        make(2, device="cuda")
    with pytest.raises(TypeError):
        make(2, dtype=torch.float32)


def test_each_of_its_type():
    names = "Bool Byte Char Short Int Long Half BFloat16 Float Double"
    for name, dtype in zip(names.split(), DTYPES):
        cls = getattr(torch, f"{name}Tensor")
        assert cls([1, 0]).dtype == cls(2, 3).dtype == cls().dtype == dtype and cls.dtype == dtype
        assert cls([1, 0]).tolist() == [1, 0] and torch.ones(2, dtype=dtype).new([0, 1]).dtype == dtype
        assert isinstance(torch.ones(1, dtype=dtype), cls) and not isinstance(3, cls) and not cls.is_sparse
        assert torch.ones(1, dtype=dtype).type() == f"torch.{name}Tensor"
        other = torch.ones(2, dtype=torch.int64 if dtype != torch.int64 else torch.int32)
        for make in (cls, torch.ones(1, dtype=dtype).new):
            with pytest.raises(TypeError):
                make(other)
    assert torch.LongTensor([1.5]).tolist() == [1] and not isinstance(A, torch.DoubleTensor)
    assert torch.FloatTensor(A.untyped_storage()).shape == (6,) and torch.FloatTensor.layout is torch.strided


# ---- NumPy's numbers where a number is taken ---------------------------------------------------------------
N0, N1, N2 = np.int64(0), np.int32(1), np.int8(2)
F2 = np.float32(2)


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        (lambda: A.sum(N1), lambda: A.sum(1)),
        (lambda: A.sum((N0, N1)), lambda: A.sum((0, 1))),
        (lambda: A.transpose(N0, N1), lambda: A.t()),
        (lambda: A.permute(N1, N0), lambda: A.t()),
        (lambda: A.narrow(N1, N1, N2), lambda: A[:, 1:]),
        (lambda: A.select(N0, N1), lambda: A[1]),
        (lambda: A.view(np.int64(3), N2), lambda: A.view(3, 2)),
        (lambda: A.reshape((np.int64(3), N2)), lambda: A.view(3, 2)),
        (lambda: A.unsqueeze(N0), lambda: A[None]),
        (lambda: A.repeat(N2, N1), lambda: torch.cat([A, A])),
        (lambda: A.roll(N1), lambda: A.roll(1)),
        (lambda: torch.ones(N2, N1), lambda: torch.ones(2, 1)),
        (lambda: torch.full((N2,), F2), lambda: torch.full((2,), 2.0)),
        (lambda: torch.arange(N0, np.int64(3)), lambda: torch.arange(3)),
        (lambda: torch.linspace(np.float32(0), np.float64(1), np.int64(3)), lambda: torch.linspace(0, 1, 3)),
        (lambda: torch.add(A, A, alpha=F2), lambda: A * 3),
        (lambda: torch.add(I, I, alpha=np.int64(2)), lambda: I * 3),
        (lambda: torch.add(A, F2), lambda: A + 2),
        (lambda: torch.mul(I, np.float64(1.5)), lambda: I * 1.5),
        (lambda: torch.clamp(A, N1, F2), lambda: A.clamp(1, 2)),
        (lambda: A.clone().fill_(F2), lambda: torch.full((2, 3), 2.0)),
        (lambda: A.pow(N2), lambda: A * A),
        (lambda: A.lerp(A + 1, np.float32(0.5)), lambda: A + 0.5),
        (lambda: A.norm(np.float64(1)), lambda: A.sum()),
        (lambda: A.masked_fill(A > 2, F2), lambda: A.masked_fill(A > 2, 2.0)),
        (lambda: A.topk(N1).values, lambda: A[:, 2:]),
        (lambda: A[N1], lambda: A[1]),
        (lambda: A[N1, N0], lambda: A[1, 0]),
        (lambda: A[N0:N1], lambda: A[:1]),
        (lambda: A[np.array([1, 0])], lambda: A.flip(0)),
        (lambda: A[np.array([True, False])], lambda: A[:1]),
        (lambda: A.size(N1) * torch.ones(1), lambda: torch.tensor([3.0])),
        (lambda: torch.zeros(torch.tensor(2), 3), lambda: torch.zeros(2, 3)),
        (lambda: torch.zeros([torch.tensor(2), N1]), lambda: torch.zeros(2, 1)),
    ],
)
def test_numbers_of_numpy(theirs, mine):
    got, want = theirs(), mine()
    assert got.dtype == want.dtype and got.shape == want.shape and torch.equal(got, want)


def test_assigning_numbers():
    a = A.clone()
    for value in (np.int64(5), np.float64(5), 5, 5.0, True and 5, torch.tensor(5)):
        a[0] = value
        assert a[0].tolist() == [5, 5, 5]
    for value in (np.array([1, 2, 3]), [1, 2, 3], None, "x"):
        with pytest.raises(TypeError):
            a[0] = value
    with pytest.raises(TypeError):
        del a[0]


# ---- indices -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "index",
    [
        (..., ..., 0),
        (..., ..., slice(0, 1)),
        (..., ..., None),
        (..., ..., torch.tensor([0])),
        (..., ..., [0]),
        (..., ..., torch.tensor([True, False])),
        (..., ..., True),
        (..., 0, ..., 0),
        (0, ..., ..., 0),
        (None, ..., ..., 0, 0),
    ],
)
def test_two_ellipses(index):
    """The second leads behind the last dimension: an error, or what is there. PyTorch leaves both open."""
    for function in (lambda: A[index], lambda: A.clone().__setitem__(index, 1)):
        try:
            function()
        except IndexError:
            pass
    assert A[..., ...].shape == A.shape and torch.equal(A, torch.arange(6.0).view(2, 3))


def test_indices_that_are_dated():
    with pytest.warns(UserWarning, match=r"torch\.uint8 is now deprecated"):
        assert A[torch.tensor([0, 1], dtype=torch.uint8)].tolist() == [[3, 4, 5]]
    with pytest.warns(UserWarning, match="non-tuple sequence"):
        assert A[[[0, 1], [1, 2]]].tolist() == [1, 5]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for index in ([0, 1], (0, 1), torch.tensor([1, 0]), torch.tensor([True, False]), [True, False], range(2)):
            A[index]
        with pytest.raises(UserWarning):
            A[torch.tensor([0, 1], dtype=torch.uint8)]
        with pytest.raises(UserWarning):
            A.clone()[[[0, 1], [1, 2]]] = 3.0
        assert A[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_of_index_tensors(dtype):
    index = torch.tensor([1, 0]).to(dtype)
    if dtype in (torch.int32, torch.int64):
        assert A[index].tolist() == [[3, 4, 5], [0, 1, 2]]
    elif dtype in (torch.bool, torch.uint8):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert A[index].tolist() == [[0, 1, 2]]
    else:
        with pytest.raises(IndexError):
            A[index]
    if not dtype.is_floating_point and not dtype.is_complex:
        assert A[index[0]].numel() >= 3
    else:
        with pytest.raises((IndexError, TypeError)):
            A[index[0]]


# ---- sizes and types ---------------------------------------------------------------------------------------
def test_size():
    s = torch.Size([2, 3])
    for other in (s + (4,), (4,) + s, s * 2, 2 * s, s[1:], s[::2], s[:0], s + s, torch.Size(s), copy.deepcopy(s)):
        assert type(other) is torch.Size
    assert s + (4,) == (2, 3, 4) and s[::-1] == (3, 2) and s.numel() == 6 and torch.Size().numel() == 1
    assert hash(s) == hash((2, 3)) and s == (2, 3) and s != [2, 3] and s < (3,) and {s: 1}[(2, 3)] == 1
    assert repr(torch.Size([])) == "torch.Size([])" and f"{s}" == "torch.Size([2, 3])" and type(s[0]) is int
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        got = pickle.loads(pickle.dumps(s, protocol))
        assert got == s and type(got) is torch.Size
    assert torch.Size([torch.tensor(2), np.int64(3)]) == (2, 3) and type(torch.Size([True])[0]) is int
    for wrong in (3, [1.5], ["a"], [[1]], [None]):
        with pytest.raises(TypeError):
            torch.Size(wrong)
    with pytest.raises(ValueError, match="Overflow"):
        repr(torch.Size([2**70]))


def test_objects_of_torch_compare_hash_and_pickle():
    things = [torch.float16, torch.int64, torch.device("cpu"), torch.device("cpu", 1), torch.device("cuda", 0)]
    for thing in things:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(thing, protocol)) == thing
        assert copy.copy(thing) == thing and copy.deepcopy(thing) == thing and hash(thing) == hash(copy.copy(thing))
        assert thing != "cpu" and thing != None and thing != 3  # noqa: E711
    assert len({*things, *things}) == 5 and torch.device("cpu") != torch.device("cpu:0")
    assert torch.float is torch.float32 and torch.float32 != "float32"
    assert repr(torch.strided) == "torch.strided" and repr(torch.preserve_format) == "torch.preserve_format"
    assert torch.ones(2).layout != torch.sparse_coo and pickle.loads(pickle.dumps(torch.sparse_csr)) is torch.sparse_csr
    with pytest.raises(NotImplementedError, match="no tensors of layout torch.jagged"):
        torch.zeros(2, layout=torch.jagged)
    for cls in (torch.dtype, torch.layout, torch.memory_format):
        with pytest.raises(TypeError):
            cls()
    for function in (lambda: torch.float32 < torch.float64, lambda: torch.device("cpu") < torch.device("cuda")):
        with pytest.raises(TypeError):
            function()
    with pytest.raises(TypeError):
        hash(torch.finfo(torch.float32))
    with pytest.raises(AttributeError):
        torch.float32.x = 3


# ---- as text and as a number -------------------------------------------------------------------------------
def test_text():
    f, k = torch.tensor(2.5), torch.tensor(255)
    assert f"{f:.2f} {k:x} {k:>5} {f}" == "2.50 ff   255 2.5" and f"{A[0]}" == "tensor([0., 1., 2.])"
    assert "%d %.1f" % (k, f) == "255 2.5"  # noqa: UP031
    assert hex(k) == "0xff" and f"{torch.tensor(1 + 2j):.1f}" == "1.0+2.0j"
    with pytest.raises(TypeError):
        f"{A:.2f}"
    assert A.__repr__(tensor_contents="xyz") == "tensor(xyz)"
    assert torch.ones(2, dtype=torch.int8).__repr__(tensor_contents="q") == "tensor(q, dtype=torch.int8)"


def test_python_functions_over_tensors():
    assert sum(A).tolist() == [3, 5, 7] and max(A[0]).item() == 2 and min(A[1]).item() == 3
    assert sorted([torch.tensor(3), torch.tensor(1)])[0].item() == 1 and any(A[0]) and not all(A[0])
    assert [x.item() for x in reversed(A[0])] == [2, 1, 0] and list(zip(*A))[2][1].item() == 5
    assert list(range(torch.tensor(3))) == [0, 1, 2] and "abcd"[torch.tensor(3)] == "d"
    assert pow(A, 2).tolist() == (A * A).tolist() and A in [A] and [A].index(A) == 0
    for function in (
        lambda: round(torch.tensor(2.5)),
        lambda: divmod(A, 2),
        lambda: pow(A, 2, 3),
        lambda: A < None,
        lambda: A < "x",
        lambda: A + "x",
        lambda: [] + A,
        lambda: ~A,
        lambda: len(torch.tensor(1)),
        lambda: list(torch.tensor(1)),
        lambda: torch.tensor(1.5).__index__(),
        lambda: I.__index__(),
    ):
        with pytest.raises(TypeError):
            function()
    assert (A == None) is False and (A != None) is True and (A == "x") is False  # noqa: E711


def test_deepcopy_keeps_what_is_shared():
    base = torch.arange(6.0)
    group = {"base": base, "view": base.view(2, 3)[:, 1:], "again": base, "other": torch.zeros(2)}
    base.mark = [1, 2]
    got = copy.deepcopy(group)
    assert got["base"] is got["again"] and got["base"].mark == [1, 2] and got["base"].mark is not base.mark
    got["base"][1] = 50
    assert got["view"][0, 0].item() == 50 and base[1].item() == 1 and got["view"].stride() == (3, 1)
    memo = {}
    assert copy.deepcopy(base, memo) is memo[id(base)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_pickles(dtype):
    base = torch.tensor([[1, 0, 1], [0, 1, 1]]).to(dtype)
    for view in (base, base.t(), base[:, 1], base[1, 1], base[:0], base[0].expand(2, 3)):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            got = pickle.loads(pickle.dumps(view, protocol))
            assert got.dtype == dtype and got.stride() == view.stride() and got.tolist() == view.tolist()
            assert got.storage_offset() == view.storage_offset() or not view.numel()
