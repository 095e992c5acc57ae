"""Ten thousand random calls, and what more of them have found. Ours alone: PyTorch changes some results before it raises.

The controls show that each kind of finding is seen."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
import torch
from fuzz import calls

FUZZ = pathlib.Path(__file__).parent


def test_ten_thousand_calls():
    command = [sys.executable, "-B", FUZZ, "calls", "10000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10000 inputs" in done.stdout
    assert "unmade" not in done.stdout


def test_calls_are_made_by_their_number():
    texts = [str(calls.make(number, 7)) for number in range(300)]
    assert texts == [str(calls.make(number, 7)) for number in range(300)]
    assert len(set(texts)) > 290
    assert texts[0] != str(calls.make(0, 8))


def test_everything_is_called():
    found = calls.targets()
    texts = {target.text for kind in found.values() for target in kind}
    assert {
        "torch.add({})",
        "{self}.add_({})",
        "torch.linalg.inv({})",
        "torch.special.zeta({})",
        "torch.tensor({})",
    } <= texts
    assert {"operator.matmul({self}, {})", "{self}.untyped_storage().resize_({})", "torch.einsum({})"} <= texts
    assert len(texts) > 1200


def call(text, pure=True, **tensors):
    return calls.Call(text, pure, False, tensors)


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("a + 1", None),
        ("a.add_(1)", "returns and has changed a"),
        ("[a.add_(1), a[5]]", "raises IndexError and has changed a"),
        ("dict()['x']", "raises KeyError"),
        ("a.nothing()", "raises AttributeError"),
    ],
)
def test_wrong_calls_are_seen(text, finding):
    got = calls.run(call(text, a="torch.ones(2)"))[1]
    assert got is None if finding is None else got.startswith(finding)


@pytest.mark.parametrize(
    ("text", "finding"), [("ctypes.string_at(0)", "crashes with SIG"), ("list(iter(int, 1))", "hangs"), ("a + 1", "")]
)
def test_the_ends_of_processes_are_seen(text, finding):
    code = f"""
import runpy, sys
sys.path.insert(0, {str(FUZZ.parent)!r})
driver = runpy.run_path({str(FUZZ / "__main__.py")!r}, run_name="driver")
if {finding == "hangs"}:
    driver["Child"].collect.__globals__["CPU_SECONDS"] = 0.5
driver["Child"].__init__.__globals__["MEMORY"] = 2**40
from fuzz import calls
driver["one"].__globals__["print"] = lambda *_: None
print(driver["one"](calls.Call({text!r}, True, False, {{"a": "torch.ones(2)"}})))
"""
    code = code.replace("list(iter(int, 1))", "all(iter(int, 1) or True for _ in iter(int, 1))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().startswith(finding)


def test_a_call_is_made_smaller():
    big = calls.Call(
        "{self}.add_({})",
        True,
        True,
        {"a": "torch.ones(3, 4)[None]", "b": "torch.ones(2)"},
        [(None, "1"), ("alpha", "2")],
    )
    smaller = [str(c) for c in calls.simpler(big)]
    assert "a = torch.ones(3, 4)[None]; b = torch.ones(2); a.add_(1)" in smaller
    assert "a = torch.ones(3, 4)[None]; a.add_(1, alpha=2)" in smaller
    assert "a = torch.ones(2); b = torch.ones(2); a.add_(1, alpha=2)" in smaller


# ---- what has been found -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "make",
    [
        lambda out: torch.arange(-1, out=out),
        lambda out: torch.arange(0, 5, 0, out=out),
        lambda out: torch.range(1, -1.5, out=out),
        lambda out: torch.randint(-2, (3, 0), out=out),
        lambda out: torch.normal(0, 1.0, (3,), out=out.to(torch.int64)),
        lambda out: torch.scatter(torch.ones(2, 2), 1, torch.ones(2), 1, out=out),
        lambda out: torch.scatter(torch.ones(2, 2), 0, torch.tensor([[7, 0]]), 1.0, out=out),
        lambda out: torch.index_copy(torch.ones(3), 0, torch.tensor([0]), torch.ones(1, dtype=torch.int64), out=out),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_refused_results_stay_as_they_were(make):
    base = torch.arange(8.0)
    out = base.as_strided((3, 2), (2, 1), 1)
    with pytest.raises(RuntimeError):
        make(out)
    assert out.shape == (3, 2) and out.stride() == (2, 1) and out.storage_offset() == 1
    assert base.tolist() == list(range(8))


@pytest.mark.parametrize("dtype", [torch.bool, torch.complex64])
@pytest.mark.parametrize("make", [torch.arange, torch.linspace])
def test_results_of_a_dtype_that_cannot_be(make, dtype):
    out = torch.zeros(2, dtype=dtype)
    try:
        make(*((0, 3) if make is torch.arange else (0, 1, 3)), out=out)
    except NotImplementedError:
        assert out.shape == (2,)


def test_scatter_into_its_own_operands():
    a, index = torch.zeros(2, 2), torch.tensor([[1, 0], [0, 1]])
    torch.scatter(a, 0, index, 5.0, out=a)
    assert a.tolist() == [[5, 5], [5, 5]]
    b = torch.zeros(0)
    assert torch.scatter(torch.ones(2, 2), 0, index[:1], 7.0, out=b) is b
    assert b.tolist() == [[1, 7], [7, 1]]


@pytest.mark.parametrize("p", [2**31, 2**40, 2**62, 2**63 - 1])
def test_gamma_functions_of_too_many_dimensions(p):
    with pytest.raises(RuntimeError):
        torch.mvlgamma(torch.ones(2**20).expand(2**8, 2**20), p)


def test_gamma_functions_of_many_dimensions():
    p, x = 100, torch.tensor([60.0, 75.5], dtype=torch.float64)
    want = p * (p - 1) / 4 * np.log(np.pi) + sum(torch.lgamma(x - j / 2) for j in range(p))
    assert torch.allclose(torch.mvlgamma(x, p), want, rtol=1e-14)


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
def test_triangles(name):
    make, numpy = getattr(torch, name), {"tril_indices": np.tril_indices, "triu_indices": np.triu_indices}[name]
    for rows in range(5):
        for columns in range(5):
            for offset in range(-6, 7):
                want = np.array(numpy(rows, offset, columns)).reshape(2, -1)
                assert make(rows, columns, offset).tolist() == want.tolist(), (rows, columns, offset)
    assert make(2**61, 0).shape == make(0, 2**61).shape == (2, 0)
    assert torch.tril_indices(2**40, 3, -(2**40) + 1).tolist() == [[2**40 - 1], [0]]
    assert torch.triu_indices(2**40, 3, 2).tolist() == [[0], [2]]
    tall = (2**61, 3) if name == "tril_indices" else (3, 2**61)
    for huge in (tall, (2**62, 2**62), (2**63 - 1, 2**63 - 1)):
        with pytest.raises(RuntimeError):
            make(*huge)
    for offset in (2**63 - 1, -(2**63)):
        assert make(2, 2, offset).shape in ((2, 0), (2, 4))


def test_what_python_passes_on_is_checked():
    for wrong in (1, None, "x"):
        with pytest.raises(TypeError):
            torch.linalg.diagonal(wrong)
        with pytest.raises(TypeError):
            torch.linalg.cross(wrong, wrong)
        with pytest.raises(TypeError):
            torch.FloatStorage(2).copy_(wrong)


# ---- lists that change while they are read -----------------------------------------------------------------
class Edits:
    """An element that edits its list when it is asked for its value."""

    def __init__(self, edit):
        self.edit = edit

    def __index__(self):
        self.edit()
        return 1

    __float__ = __index__


@pytest.mark.parametrize(
    "use",
    [
        torch.ones,
        lambda items: torch.ones(1, 1, 1, 1).permute(items),
        lambda items: torch.ones(2, 2).sum(items),
        lambda items: torch.ones(2).expand(items),
        lambda items: torch.ones(9)[items],
        lambda items: torch.ones(2).view(tuple(items)),
        torch.tensor,
        torch.UntypedStorage,
        torch.Size,
    ],
)
@pytest.mark.parametrize("how", ["clear", "extend"])
def test_lists_that_change_while_they_are_read(use, how):
    items = []
    items[:] = [Edits(items.clear if how == "clear" else lambda: items.extend([1] * 10_000)), 1, 1, 1]
    try:
        use(items)
    except (RuntimeError, TypeError, IndexError, ValueError):
        pass
    assert how == "clear" or len(items) >= 4


class Shrinks:
    """A sequence that empties the list it is in."""

    def __init__(self, items):
        self.items = items

    def __len__(self):
        return 2

    def __getitem__(self, at):
        self.items.clear()
        if at > 1:
            raise IndexError
        return at


def test_nested_lists_that_change_while_they_are_read():
    items = []
    items[:] = [[0, 1], Shrinks(items), [object(), 3]]
    with pytest.raises((RuntimeError, ValueError)):
        torch.tensor(items)


def test_counting_up_to_the_end():
    with pytest.raises(RuntimeError):
        torch.bincount(torch.tensor([2**63 - 1]))
    assert torch.bincount(torch.tensor([255], dtype=torch.uint8)).shape == (256,)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_singular_values_of_infinities(dtype):
    """Some LAPACKs never end on these."""
    a = torch.tensor([[-np.inf, 6e4, 1e30], [6e4, np.inf, 1e-45], [-0.0, -2.5, -2.5]], dtype=dtype)
    for function in (torch.svd, torch.linalg.svdvals):
        with pytest.raises(torch.linalg.LinAlgError, match="non-finite"):
            function(a)


def test_products_into_their_own_operands():
    a = torch.arange(6.0).view(2, 3)
    b = torch.arange(12.0).view(3, 4)
    want = torch.mm(a, b)
    assert torch.mm(a, b, out=a) is a and torch.equal(a, want)
    vector = torch.arange(3.0)
    assert torch.equal(torch.mv(torch.ones(0, 3), vector, out=vector), torch.ones(0))
    c = torch.ones(0, dtype=torch.bool)
    with pytest.raises(RuntimeError):
        torch.mm(torch.ones(2, 2, dtype=torch.bool), torch.ones(2, 2, dtype=torch.bool), out=c)
    assert c.shape == (0,)


# ---- bools in memory that others wrote ---------------------------------------------------------------------
def test_bools_of_any_byte():
    raw = bytearray([2, 0, 255, 1])
    a = torch.frombuffer(raw, dtype=torch.bool)
    want = [True, False, True, True]
    assert a.tolist() == want and [x.item() for x in a] == want
    assert a.half().tolist() == a.int().tolist() == a.double().tolist() == [1, 0, 1, 1]
    assert torch.arange(4)[a].tolist() == torch.arange(4).masked_select(a).tolist() == [0, 2, 3]
    assert a.sort().values.tolist() == [False, True, True, True]
    assert a.unique().tolist() == [False, True]
    assert a.sum().item() == 3 and a.nonzero().tolist() == [[0], [2], [3]]
    added = torch.zeros(2, dtype=torch.bool).scatter_add(0, torch.tensor([0, 1, 1, 1]), a)
    assert added.tolist() == [True, True]


def test_numbers_at_the_ends():
    for text in ("cpu:99999999999", "cpu:2147483648", "cpu:"):
        with pytest.raises(RuntimeError, match="device string"):
            torch.device(text)
    with pytest.raises(IndexError):
        torch.ones(2).nansum((2**63 - 1,))
    for offset in (2**63 - 1, -(2**63), -(2**63) + 1):
        with pytest.raises(RuntimeError):
            torch.diag_embed(torch.ones(2), offset)


def test_strides_of_single_elements():
    a = torch.ones(3, 4)[:, :: 2**62][:: 2**62]
    assert a.stride()[1] == 2**62 and a.sum(0).tolist() == [1] and a.sum(1).tolist() == [1]
    assert a.diagonal().tolist() == [1]
    with pytest.raises(RuntimeError):
        torch.ones(3).repeat(2**63 - 1)


@pytest.mark.parametrize("count", [2**53 + 1, 2**62, 2**63 - 1])
@pytest.mark.parametrize(
    "split",
    [
        lambda n: torch.ones(2).tensor_split(n),
        lambda n: torch.ones(2, 0).vsplit(1) and torch.ones(2, 0).hsplit(n),
        lambda n: torch.ones(0).chunk(n),
        lambda n: torch.ones(1).expand(n).split(1),
        lambda n: torch.ones(1).expand(n).unbind(),
    ],
)
def test_more_parts_than_any_memory_holds(split, count):
    """Refused before the first of them is made."""
    with pytest.raises((MemoryError, RuntimeError)):
        split(count)


def test_more_chunks_than_there_are_numbers():
    assert [part.tolist() for part in torch.arange(3).chunk(2**63 - 1)] == [[0], [1], [2]]


@pytest.mark.filterwarnings("ignore")
def test_the_second_result_is_looked_at_before_the_first_is_written():
    a, b = torch.eye(2) * 2, torch.ones(2, 2)
    first, shared = torch.zeros(2, 2), torch.zeros(2).expand(2, 2)
    for call in (torch.gesv, torch.gels):
        with pytest.raises(RuntimeError, match="single memory location"):
            call(b, a, out=(first, shared))
    with pytest.raises(RuntimeError, match="single memory location"):
        torch.linalg.qr(a, out=(first, shared))
    assert not first.any()


@pytest.mark.filterwarnings("ignore")
def test_deviations_into_their_own_operand():
    for dim in (0, 1):
        a = torch.tensor([[0.0, 2], [4, 10]])
        want = torch.var(a, dim=dim)
        assert torch.equal(torch.var(a, dim=dim, out=a), want)


def test_powers_of_nothing():
    assert torch.vander(torch.ones(0), N=2**62).shape == (0, 2**62)


@pytest.mark.parametrize("huge", [2**62, 2**63 - 1])
@pytest.mark.parametrize(
    "call",
    [
        lambda a, n: a.roll(-n - 1),
        lambda a, n: torch.blackman_window(n),
        lambda a, n: a.split((n, n, 4)),
        lambda a, n: a.unflatten(0, (n, n, 2)),
        lambda a, n: torch.combinations(a, 2**31 - 1, True) if n < 2**63 - 1 else torch.combinations(a, n, True),
        lambda a, n: torch.constant_pad_nd(a, (-1, -n)),
        lambda a, n: torch._pad(a, (n, n)),
        lambda a, n: torch._pad(a[None], (-n, n), "replicate"),
        lambda a, n: torch._pad(a[None], (1, n), "replicate"),
        lambda a, n: a.repeat_interleave(n, output_size=1),
        lambda a, n: a.histogram(n),
        lambda a, n: torch.eye(2).matrix_power(-n - 1),
        lambda a, n: torch.ones(1, 1, 0).as_strided((3, n, 0), (1, 1, 1)).transpose(0, 2)[:, 1:].sum((1, 2)),
        lambda a, n: a[:1:n].add_(1) + a.unfold(0, 3, n).clone()[0, 0] + a.as_strided((0, 3, n), (3, 2, 2)).sum(),
    ],
)
def test_sizes_whose_sums_overflow(call, huge):
    """An error, or what it is of any other size."""
    a = torch.arange(3.0)
    try:
        call(a, huge)
    except (RuntimeError, MemoryError, IndexError):
        pass
    assert a.tolist()[1:] == [1, 2]


def test_two_results_in_one_place():
    a = torch.arange(3.0)
    with pytest.raises(RuntimeError, match="must not share memory"):
        torch.histogram(a, 2, density=True, out=(a, a))
    assert a.tolist() == [0, 1, 2]


@pytest.mark.filterwarnings("ignore")
def test_a_histogram_over_its_own_edges():
    a, edges = torch.tensor([0.5, 0.5, 1.5, 3]), torch.tensor([0.0, 1, 2, 4])
    want = torch.histogram(a, edges, density=True)
    got = torch.histogram(a, edges, density=True, out=(edges, a))
    assert all(map(torch.equal, got, want)) and got[0] is edges and got[1] is a


@pytest.mark.parametrize("other", [1, 0.5, torch.ones(2)])
def test_a_number_cannot_be_written(other):
    with pytest.raises(TypeError, match=r"xlogy_\(\)"):
        torch.xlogy_(0.5, other)
    with pytest.raises(TypeError, match=r"xlogy_\(\)"):
        torch.xlogy_(input=0.5, other=other)


def test_meta_results_are_not_read():
    assert calls.run(call("torch.ones_like(a, device='meta')", a="torch.ones(2)")) == ("result", None)
