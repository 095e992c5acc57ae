"""Every line of the golden tables with DTensors for its operands, on two and four ranks, against the same with tensors; and how
many of the lines run on parts. PyTorch's answers are not asked: those of whole tensors are tests/golden's matter."""

import pathlib
import sys
import zlib

import pytest
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from golden.cases import FAMILIES
from golden.inputs import build_all
from golden.row import compiled

LEFT_OUT = ("creation", "errors", "interop", "printing", "promotion", "random", "stored")
# What is not the same, and why.
DIFFERENT = {
    "torch.asarray(a, dtype=torch.float64)": "makes a tensor of this rank's part",
}
# Writes to what may be a copy of a tensor, and is one where that lies in parts: {code}; the result differs.
COPIES = {
    "b = a.reshape(3, 2); b[0, 0] = 5; a",
    "b = a.t().contiguous(); b[0, 0] = 5; a",
    "b = iter(a); next(b).zero_(); a",
    "a.unbind(1)[1].zero_(); a",
    "a.flatten()[0] = 7; a",
    "a.unfold(1, 2, 2).zero_(); a",
}
# Errors that say why a call is none of DTensors.
REFUSALS = (
    "mixed torch.Tensor and DTensor",
    "draw different numbers",
    "of a view whose tensor",
    "in place",
    "in-place",
    "comes first",
    "out= of shape",
    "refers to a single memory location",
    "meta tensor",  # a number that shapes depend on is an operand
    "on meta",
)


def _lines():
    """(code, inputs) with one dtype and shape each."""
    for family, table in FAMILIES.items():
        for row in table if family not in LEFT_OUT else ():
            key = next((k for k in row.inputs if any(d in k for d in ("f32", "f64", "c64"))), None)
            if key is None:
                continue
            operands = build_all(key, torch)
            if any(t.dim() and t.numel() > 1 for t in operands.values()):
                yield row.code, key


def _evaluated(code, operands):
    body, last = compiled(code)
    names = {"torch": torch, **operands}
    exec(body, names)
    return eval(last, names)


def _leaves(tree):
    return [leaf for item in tree for leaf in _leaves(item)] if isinstance(tree, (list, tuple)) else [tree]


def _lain(tensor, mesh, dim):
    """In parts along `dim`; of None: as two terms, whose sum is exact."""
    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor

    if dim is None and (tensor.is_floating_point() or tensor.is_complex()):
        term = tensor * 2 if mesh.get_local_rank() == 0 else -tensor
        return DTensor.from_local(term, mesh, [Partial()], shape=tensor.shape, stride=tensor.stride())
    dim = dim or 0
    split = tensor.dim() and tensor.numel()
    placement = Shard(dim % tensor.dim()) if split else Replicate()
    return distribute_tensor(tensor, mesh, [placement] * mesh.ndim, src_data_rank=None)


def same(code, key, shape, dim, wanted):
    """Evaluates the line; the answer is whether all of it ran on parts."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, _plans

    mesh = init_device_mesh("cpu", shape)
    on_parts = True

    def whole(tensors):
        nonlocal on_parts
        on_parts = on_parts and not any(t.dim() for t in tensors)
        return _plans.whole(tensors)

    OF_THE_RANK[dist.get_rank()] = whole
    found = _leaves(_evaluated(code, {name: _lain(t, mesh, dim) for name, t in build_all(key, torch).items()}))
    assert len(found) == len(wanted)
    for got, want in zip(found, wanted):
        got = got.full_tensor() if isinstance(got, DTensor) else got
        if isinstance(want, torch.Tensor):
            torch.testing.assert_close(got, want, equal_nan=True, rtol=1e-4, atol=1e-4, check_stride=False)
        elif isinstance(want, (bool, int, float)) and want == want:
            assert got == want
    return on_parts


OF_THE_RANK = {}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("shape", "dim", "least"),
    [((2,), 0, 1700), ((2,), -1, 1700), ((2,), None, 1400), ((4,), 0, 310), ((2, 2), -1, 310)],
)
def test_lines_of_golden_tables(shape, dim, least, monkeypatch):
    from torch.distributed.tensor import _dispatch, _plans

    class Plans:
        """_plans, which tells each rank of calls that have no rule."""

        def __getattr__(self, name):
            return OF_THE_RANK[dist.get_rank()] if name == "whole" else getattr(_plans, name)

    monkeypatch.setattr(_dispatch, "_plans", Plans())
    size = 1
    for n in shape:
        size *= n
    wrong, parts, refused, count = [], 0, 0, 0
    for code, key in _lines():
        if size > 2 and zlib.crc32(code.encode()) % 5:  # a line more changes nothing of the others
            continue
        if dim is None and ("/ 0" in code or not all(torch.isfinite(t).all() for t in build_all(key, torch).values())):
            continue  # of infinities there is no such sum
        try:
            wanted = _leaves(_evaluated(code, build_all(key, torch)))
        except Exception:
            continue
        if code in DIFFERENT or not any(isinstance(leaf, torch.Tensor) for leaf in wanted):
            continue
        count += 1
        try:
            parts += _threads.run(same, size, code, key, shape, dim, wanted, timeout=10)[0]
        except (RuntimeError, NotImplementedError, TypeError, AttributeError, ValueError) as failure:
            refused += 1
            if not any(text in str(failure) for text in REFUSALS):
                wrong.append(f"{code} [{key}]: {type(failure).__name__}: {str(failure)[:120]}")
        except AssertionError as failure:
            if code not in COPIES:
                wrong.append(f"{code} [{key}]: {str(failure)[:120]}")
    print(f"{parts} of {count} lines run on parts, {refused} are refused")
    assert not wrong, "\n".join(wrong)
    assert parts >= least
