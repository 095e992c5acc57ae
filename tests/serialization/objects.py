"""The objects that are in the files of data/, and the comparison of what has been loaded with them."""

import collections
import math

import torch

MOST = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16]
DTYPES = [*MOST, torch.float32, torch.float64]


def containers():
    """Everything that is no tensor."""
    metadata = collections.OrderedDict(weight=1)
    metadata._metadata = {"version": 2}
    return {
        "numbers": [0, -1, 255, 256, 2**31 - 1, -(2**31), 2**63, -(2**80), 2.5, float("inf"), True, False, None],
        "text": ["", "ascii", "ünïcödé", "\n\0"],
        "nested": ({"a": [1, (2, 3, (4,))]}, [], (), {}),
        "keys": {1: 2, (1, "a"): 3, None: 4, 1.5: 5},
        "ordered": metadata,
        "counter": collections.Counter(["one", "two", "one"]),
        "set": {1, 2, 3},
        "bytes": b"ab\0\xff",
        "bytearray": bytearray(b"xyz"),
        "complex": 1 + 2j,
        "dtype": [torch.float32, torch.bfloat16],
        "size": torch.Size([2, 3]),
        "device": [torch.device("cpu"), torch.device("cuda", 1)],
        "many": list(range(3000)),
        "repeated": [shared := [1], shared],
    }


def tensors():
    """Layouts and sharing."""
    base = torch.arange(24.0).view(2, 3, 4)
    return {
        "base": base,
        "view": base[1, 1:, ::2],
        "transposed": base.transpose(0, 2),
        "expanded": base[0, 0].expand(3, 4),
        "scalar": torch.tensor(3.5),
        "empty": torch.empty(0, 3),
        "empty_view": base[:0],
        "other": torch.tensor([1, 2]),
        "special": torch.tensor([float("nan"), float("inf"), -0.0]),
    }


def subclassed():
    """Attributes."""
    tensor = torch.arange(3)
    tensor.note = "mine"
    return tensor


def typed_storages():
    """Storages on their own."""
    tensor = torch.tensor([1.0, 2.0, 3.0])
    return {"typed": tensor.storage(), "tensor": tensor}


def storages():
    """The same with one of bytes, which PyTorch does not read back from the format before 1.6."""
    return {**typed_storages(), "untyped": torch.tensor([1, 2, 3], dtype=torch.uint8).untyped_storage()}


def dtypes():
    """A tensor of each."""
    return {str(dtype)[6:]: torch.tensor([0, 1, 2, 5]).to(dtype) for dtype in DTYPES}


def stored():
    """Dtypes that no storage class is named after, not contiguous."""
    names = "uint16 uint32 uint64 complex32 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz".split()
    return {name: torch.tensor([[0, 1, 2], [3, 4, 5]]).to(getattr(torch, name)).t() for name in names}


def same(got, want):
    """Whether two objects are alike in types, values, tensors and their layouts."""
    kinds = torch.UntypedStorage, torch.storage.TypedStorage
    if isinstance(want, kinds):  # files do not tell an untyped storage from one of uint8
        return isinstance(got, kinds) and same(got.tolist(), want.tolist())
    if type(got) is not type(want):
        return False
    if isinstance(want, torch.Tensor):
        place = got.dtype, got.shape, got.stride(), got.storage_offset(), got.untyped_storage().nbytes()
        wanted = want.dtype, want.shape, want.stride(), want.storage_offset(), want.untyped_storage().nbytes()
        return place == wanted and same(got.tolist(), want.tolist()) and same(vars(got), vars(want))
    if isinstance(want, dict):
        keys = [same(a, b) for a, b in zip(got, want)]
        return len(got) == len(want) and all(keys) and all(same(got[key], want[key]) for key in want)
    if isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(map(same, got, want))
    if isinstance(want, float):
        return got == want and math.copysign(1, got) == math.copysign(1, want) or (got != got and want != want)
    return got == want
