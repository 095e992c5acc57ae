"""torch._thnn._THNN under the field's names of modules: convolutions, poolings, linear maps. Ours alone; what they compute
is compared with what PyTorch's functions answered (generate_legacy.py), with formulas, and with finite differences.
"""

import gzip
import io
import pathlib

import numpy as np
import pytest
import torch
from nn_legacy import AVERAGED, FRACTIONAL, FUNCTIONS, INDEXED, TABLE, UNPOOLED, WEIGHTED
from torch._thnn import _THNN

DATA = pathlib.Path(__file__).parent / "data"
GOLDEN = torch.load(io.BytesIO(gzip.decompress((DATA / "legacy.pt.gz").read_bytes())))
CASES = [(name, i) for name, found in FUNCTIONS.items() for i in range(len(found))]
HAVE_WEIGHT = [(name, i) for name, i in CASES if name in WEIGHTED]
DTYPES = {
    "Double": (torch.float64, 1e-12),
    "Float": (torch.float32, 1e-5),
    "Half": (torch.float16, 2e-2),
    "BFloat16": (torch.bfloat16, 1.5e-1),
}


class Module:
    """The functions of one name, for a case's arguments."""

    def __init__(self, name, case, row, prefix="Double"):
        self.name, self.case, self.row, self.prefix = name, case, row, prefix
        self.dtype = DTYPES[prefix][0]

    def __getitem__(self, key):
        t = self.row.get(key)
        return t if t is None or t.dtype == torch.int64 else t.to(self.dtype)

    def call(self, function, *arguments):
        getattr(_THNN, f"{self.prefix}{self.name}_{function}")(None, *arguments)

    def empty(self, dtype=None):
        return torch.empty(0, dtype=dtype or self.dtype)

    def extra(self, which):
        """What comes after the tensors that are looked at: unused ones, a table, numbers."""
        tensors = [None] * self.case.buffers[which]
        if "Map" in self.name:
            tensors.append(torch.tensor(TABLE, dtype=self.dtype))
        if self.name == "Linear":
            tensors = [[None], [], None][which]
        numbers = (self.case.forward, self.case.backward, None)[which]
        return [*tensors, *(self.case.args if numbers is None else numbers)]

    def forward(self, x, output=None, indices=None):
        y = self.empty() if output is None else output
        where = self.empty(torch.int64) if indices is None else indices
        if self.name in WEIGHTED:
            self.call("updateOutput", x, y, self["w"], self["b"], *self.extra(0))
        elif self.name in FRACTIONAL:
            self.call("updateOutput", x, y, *self.extra(0), where, self["samples"])
        elif self.name in INDEXED:
            self.call("updateOutput", x, y, where, *self.extra(0))
        elif self.name in UNPOOLED:
            self.call("updateOutput", x, y, where, *self.extra(0))
        else:
            self.call("updateOutput", x, y, *self.extra(0))
        return y, where

    def backward(self, x, gy, indices=None, result=None):
        gx = self.empty() if result is None else result
        if self.name in WEIGHTED:
            self.call("updateGradInput", x, gy, gx, self["w"], *self.extra(1))
        elif self.name in FRACTIONAL:
            self.call("updateGradInput", x, gy, gx, *self.case.args, indices)
        elif self.name in AVERAGED:
            self.call("updateGradInput", x, gy, gx, *self.case.args)
        else:
            self.call("updateGradInput", x, gy, gx, indices, *self.case.args)
        return gx

    def gradients(self, x, gy, gw, gb, scale):
        if self.name == "Linear":
            self.call("accGradParameters", x, gy, None, self["w"], self["b"], gw, gb, None, scale)
        else:
            self.call("accGradParameters", x, gy, gw, gb, *self.extra(2), scale)


def module(name, i, prefix="Double"):
    return Module(name, FUNCTIONS[name][i], GOLDEN[name][i], prefix)


def assert_near(t, expected, tolerance=1e-12):
    assert t.shape == expected.shape
    assert torch.allclose(t.double(), expected.double(), rtol=tolerance, atol=tolerance)


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(11)


@pytest.mark.parametrize(("name", "i"), CASES)
@pytest.mark.parametrize("prefix", DTYPES)
def test_results(name, i, prefix):
    m, tolerance = module(name, i, prefix), DTYPES[prefix][1]
    y, where = m.forward(m["x"], indices=m["indices"] if name in UNPOOLED else None)
    assert_near(y, m["y"], tolerance)
    if name in INDEXED or name in FRACTIONAL:
        assert torch.equal(where, m["indices"])
    assert_near(m.backward(m["x"], m["gy"], where), m["gx"], tolerance)


@pytest.mark.parametrize(("name", "i"), CASES)
def test_single_samples(name, i):
    """They give what they give in a batch."""
    m = module(name, i)
    for k in range(len(m["x"])):
        x, gy, indices = (m[key][k] if m[key] is not None else None for key in ("x", "gy", "indices"))
        if m["samples"] is not None:
            m.row = {**m.row, "samples": GOLDEN[name][i]["samples"][k : k + 1]}
        y, where = m.forward(x, indices=indices if name in UNPOOLED else None)
        assert_near(y, m["y"][k])
        assert_near(m.backward(x, gy, where if indices is not None else None), m["gx"][k])


@pytest.mark.parametrize(("name", "i"), HAVE_WEIGHT)
@pytest.mark.parametrize("prefix", DTYPES)
def test_gradients_of_parameters(name, i, prefix):
    """They are added, times scale: by batch, and by sample."""
    m, tolerance = module(name, i, prefix), DTYPES[prefix][1] * 4
    for parts in ([slice(None)], range(len(m["x"]))):
        gw = torch.randn_like(m["w"])
        gb = None if m["b"] is None else torch.randn_like(m["b"])
        before = [t if t is None else t.clone() for t in (gw, gb)]
        for part in parts:
            m.gradients(m["x"][part], m["gy"][part], gw, gb, 0.5)
        assert_near(gw, before[0] + 0.5 * m["gw"], tolerance)
        if gb is not None:
            assert_near(gb, before[1] + 0.5 * m["gb"], tolerance)


@pytest.mark.parametrize(("name", "i"), CASES)
def test_finite_differences(name, i):
    m, epsilon = module(name, i), 1e-6
    x, fixed = m["x"], m["indices"] if name in UNPOOLED else None
    where = m.forward(x, indices=fixed)[1]
    gx = m.backward(x, m["gy"], where)
    for _ in range(3):
        step = torch.randn_like(x)
        above, below = (m.forward(x + e * step, indices=fixed)[0] for e in (epsilon, -epsilon))
        assert ((above - below) * m["gy"]).sum().item() / (2 * epsilon) == pytest.approx(
            (gx * step).sum().item(), abs=1e-6
        )


def strided(t):
    """The same elements at other distances."""
    return None if t is None else torch.stack([t, -t], -1).mT.contiguous().mT[..., 0] if t.dim() else t


@pytest.mark.parametrize(("name", "i"), CASES)
def test_strided_tensors(name, i):
    m = module(name, i)
    m.row = {key: strided(t) for key, t in m.row.items()}
    assert not m["x"].is_contiguous()
    y, where = torch.zeros_like(m["y"].mT).mT, m["indices"]
    m.forward(m["x"], y, where if name in UNPOOLED else None)
    assert_near(y, m["y"])
    gx = torch.zeros_like(m["x"].mT).mT
    m.backward(m["x"], m["gy"], where, gx)
    assert_near(gx, m["gx"])
    if name in WEIGHTED:
        gw, gb = (None if m[key] is None else strided(torch.zeros_like(m[key])) for key in "wb")
        m.gradients(m["x"], m["gy"], gw, gb, 1.0)
        assert_near(gw, m["gw"])


@pytest.mark.parametrize(("name", "i"), CASES)
def test_threads(name, i):
    m, answers = module(name, i, "Float"), []
    before = torch.get_num_threads()
    for threads in (1, 2):
        torch.set_num_threads(threads)
        y, where = m.forward(m["x"], indices=m["indices"] if name in UNPOOLED else None)
        answers.append([y, m.backward(m["x"], m["gy"], where)])
        if name in WEIGHTED:
            gw, gb = (None if m[key] is None else torch.zeros_like(m[key]) for key in "wb")
            m.gradients(m["x"], m["gy"], gw, gb, 2.0)
            answers[-1] += [gw] if gb is None else [gw, gb]
    torch.set_num_threads(before)
    assert all(torch.equal(a, b) for a, b in zip(*answers, strict=True))


@pytest.mark.parametrize(("name", "i"), CASES)
def test_wrong_shapes(name, i):
    """They are refused, and nothing is written."""
    m = module(name, i)
    x, gy, where = m["x"], m["gy"], m["indices"]
    kept = torch.full((2,), 5.0, dtype=torch.float64)
    fixed = where if name in UNPOOLED else None
    with pytest.raises(RuntimeError, match=r"expected|must|Need|weight|Expected"):
        m.forward(x[0, ..., 0] if name != "Linear" else x[None], kept, fixed)
    other = [gy[..., :-1]] if name != "SpatialAdaptiveAveragePooling" else []  # whose windows any size will do for
    for wrong in (*other, gy[:, :-1], torch.cat([gy, gy]), torch.cat([gy, gy], 1), gy[0]):
        with pytest.raises(RuntimeError, match=r"shape|dimension|expected"):
            m.backward(x, wrong, where, kept)
    with pytest.raises(TypeError, match=r"float64.*float32"):
        m.backward(x.float(), gy, where, kept)
    if name in WEIGHTED:
        gw, gb = (None if m[key] is None else torch.full_like(m[key], 5.0) for key in "wb")
        few = gw[:, :-1] if gw.dim() > 1 else gw[:-1]
        for a, b in ((few, gb), (gw[0], gb), *([(gw, gb[:-1]), (gw, gb[None])] if gb is not None else [])):
            with pytest.raises(RuntimeError, match=r"shape|dimension|expected|channels|fit|groups|elements"):
                m.gradients(x, gy, a, b, 1.0)
        assert (gw == 5).all() and (gb is None or (gb == 5).all())
        with pytest.raises(RuntimeError, match=r"shape|dimension|expected|channels|fit|groups"):
            twice = torch.cat([m["w"]] * 2)
            m.row = {**m.row, "w": torch.cat([twice] * 2, 1) if m["w"].dim() > 1 else twice}
            m.forward(x, kept)
    assert (kept == 5).all() and kept.shape == (2,)


def test_results_that_are_inputs():
    m = module("SpatialConvolutionMM", 2)
    x = m["x"].clone()
    m.forward(x, x)
    assert_near(x, m["y"])
    m = module("SpatialFullConvolution", 0)
    memory = torch.zeros(400, dtype=torch.float64)
    memory[:2] = m["b"]
    m.row = {**m.row, "b": memory[:2]}
    y = m.forward(m["x"], memory[:1])[0]
    assert_near(y, m["y"])


def test_gradients_that_share_memory_with_inputs():
    """Both are those of what gradOutput was."""
    m = module("SpatialConvolutionMM", 1)
    memory = torch.zeros(len(m["gy"].flatten()) + 8, dtype=torch.float64)
    gy = memory[: m["gy"].numel()].view(m["gy"].shape)
    gy.copy_(m["gy"])
    gw, gb = memory[: m["w"].numel()].view(4, 18), memory[-8:-4]
    before = gw.clone()
    m.gradients(m["x"], gy, gw, gb, 1.0)
    assert_near(gw, before + m["gw"])
    assert_near(gb, m["gb"])
    w, b, y = (torch.ones(shape, dtype=torch.float64) for shape in ((3, 6), (3,), (4, 3)))
    entry = torch.tensor([[1.0, 1.0, 1.0]], dtype=torch.float64)
    with pytest.raises(RuntimeError, match="memory"):
        _THNN.DoubleSparseLinear_accGradParameters(None, entry, w[:2, :3], w, b, w.clone(), b, 0.0, 1.0)
    with pytest.raises(RuntimeError, match="memory"):
        _THNN.DoubleSparseLinear_updateParameters(None, w, b, w, b, entry, 1.0)
    assert all((t == 1).all() for t in (w, b, y))


def test_maps():
    m = module("SpatialConvolutionMap", 0)
    for table in ([[0, 4]], [[-1, 0]], [[3, 0]], [[0, 0, 0]], [0, 1]):
        arguments = [m["x"], m.empty(), m["w"][:1], m["b"], torch.tensor(table, dtype=torch.float64), 3, 4, 1, 1]
        with pytest.raises((RuntimeError, IndexError), match="connTable"):
            m.call("updateOutput", *arguments)


# ---- linear maps of sparse vectors -------------------------------------------------------------------------------


def entries(x, legacy):
    """A matrix as SparseLinear takes it, with entries that are 0 and lie nowhere to fill up."""
    rows = [[[0.0, 0.0]] + [[j + 1.0, v] for j, v in enumerate(line) if v] for line in x.tolist()]
    if not legacy:
        flat = [[i + 1.0, *entry] for i, row in enumerate(rows) for entry in row]
        return torch.tensor(flat, dtype=x.dtype)
    longest = max(map(len, rows))
    return torch.tensor([row + [[0.0, 0.0]] * (longest - len(row)) for row in rows], dtype=x.dtype)


def sparse(*shape):
    x = torch.randn(*shape, dtype=torch.float64)
    return torch.where(torch.rand(*shape) < 0.5, x, torch.zeros_like(x))


def of_form(name, legacy):
    return f"legacy{name[0].upper()}{name[1:]}" if legacy else name


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("prefix", DTYPES)
def test_sparse_linear(legacy, prefix):
    dtype, tolerance = DTYPES[prefix]
    x, w, b, gy = (t.to(dtype) for t in (sparse(4, 6), torch.randn(3, 6), torch.randn(3), torch.randn(4, 3)))
    given = entries(x, legacy)

    def call(name, *arguments):
        getattr(_THNN, f"{prefix}SparseLinear_{of_form(name, legacy)}")(None, *arguments)

    y = torch.empty(0, dtype=dtype) if legacy else torch.empty(4, 3, dtype=dtype)
    call("updateOutput", given, y, w, b)
    assert_near(y, x.double() @ w.double().T + b, tolerance)

    gw, gb = torch.randn(3, 6).to(dtype), torch.randn(3).to(dtype)
    before = gw.double().clone(), gb.double().clone()
    call("accGradParameters", given, gy, gw, gb, w, b, 0.25, 0.5)
    assert_near(gw, before[0] + 0.5 * gy.double().T @ x.double() + 0.25 * w.double(), tolerance * 4)
    assert_near(gb, before[1] + 0.5 * gy.double().sum(0), tolerance * 4)

    named = (x != 0).any(0)
    new, bias = w.clone(), b.clone()
    call("updateParameters", new, bias, gw, gb, given, 0.1)
    assert_near(new, torch.where(named, w.double() - 0.1 * gw.double(), w.double()), tolerance)
    assert_near(bias, b.double() - 0.1 * gb.double(), tolerance)

    kept = gw.clone()
    call("zeroGradParameters", gw, gb, given)
    assert torch.equal(gw, torch.where(named, torch.zeros_like(kept), kept)) and (gb == 0).all()


def test_sparse_linear_of_one_vector():
    x, w, b = sparse(1, 6), torch.randn(3, 6, dtype=torch.float64), torch.randn(3, dtype=torch.float64)
    y, given = torch.empty(0, dtype=torch.float64), entries(x, True)[0]
    _THNN.DoubleSparseLinear_legacyUpdateOutput(None, given, y, w, b)
    assert_near(y, x[0] @ w.T + b)
    gw, gb, gy = torch.zeros_like(w), torch.zeros_like(b), torch.randn(3, dtype=torch.float64)
    _THNN.DoubleSparseLinear_legacyAccGradParameters(None, given, gy, gw, gb, w, b, 0.0, 1.0)
    assert_near(gw, gy[:, None] * x)
    assert_near(gb, gy)


def test_sparse_linear_refuses():
    w, b, y = (torch.full(shape, 5.0, dtype=torch.float64) for shape in ((3, 6), (3,), (4, 3)))
    for entry in ([1.0, 7.0, 2.0], [1.0, 0.0, 2.0], [5.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, float("nan"), 2.0]):
        given = torch.tensor([[1.0, 1.0, 1.0], entry], dtype=torch.float64)
        with pytest.raises(IndexError, match="index out of bound"):
            _THNN.DoubleSparseLinear_updateOutput(None, given, y, w, b)
        with pytest.raises(IndexError, match="index out of bound"):
            _THNN.DoubleSparseLinear_accGradParameters(None, given, y, w, b, w.clone(), b.clone(), 0.0, 1.0)
    good = torch.tensor([[1.0, 1.0, 1.0]], dtype=torch.float64)
    with pytest.raises(RuntimeError, match="coo format, nnz x 3"):
        _THNN.DoubleSparseLinear_updateOutput(None, good[0], y, w, b)
    with pytest.raises(RuntimeError, match="legacy format"):
        _THNN.DoubleSparseLinear_legacyUpdateOutput(None, good, y, w, b)
    with pytest.raises(RuntimeError, match="how many samples"):
        _THNN.DoubleSparseLinear_updateOutput(None, good, torch.empty(0, dtype=torch.float64), w, b)
    with pytest.raises(RuntimeError, match="Need bias of shape"):
        _THNN.DoubleSparseLinear_updateOutput(None, good, y, w, b[:2])
    with pytest.raises(RuntimeError, match="Need gradWeight of shape"):
        _THNN.DoubleSparseLinear_updateParameters(None, w, b, w[:, :2], b, good, 1.0)
    assert all((t == 5).all() for t in (w, b, y))


class Index:
    """Random keys and values for IndexLinear, and what they mean."""

    def __init__(self, dtype=torch.float64, normalised=False, offset=-2):
        self.dtype, self.offset, self.first = dtype, offset, 4 if normalised else 0
        self.counts = [2, 0, 3, 4]
        self.rows = [0, 0, 2, 2, 2, 3, 3, 3, 3]  # the sample of each entry
        self.keys = torch.tensor([0, 3, 4, 4, 1, 2, 0, 3, 3]) - offset
        self.sizes = torch.tensor(self.counts)
        self.ends = self.sizes.cumsum(0)
        self.values = torch.randn(9).to(dtype)
        self.weight = torch.randn(6, self.first + 2).to(dtype)
        if normalised:
            self.weight[:, 0] = torch.rand(6).to(dtype)
            self.weight[:, 1] = 1 / self.weight[:, 0]
        self.bias, self.gy = torch.randn(2).to(dtype), torch.randn(4, 2).to(dtype)

    @property
    def given(self):
        return self.keys, self.offset, self.values, self.sizes, self.ends

    def forward(self, prefix="Double", train=False):
        y, counted = (torch.empty(0, dtype=self.dtype) for _ in range(2))
        function = getattr(_THNN, f"{prefix}IndexLinear_updateOutput")
        function(None, *self.given, y, self.weight, self.bias, counted, train)
        return y, counted

    def expected(self, weight, train):
        """By NumPy, one entry after another: (output, what the values count as, weight afterwards)."""
        w, out, counted = weight.double().numpy().copy(), np.tile(self.bias.double().numpy(), (4, 1)), []
        for row, key, v in zip(self.rows, (self.keys + self.offset).tolist(), self.values.tolist(), strict=True):
            if self.first:
                if train:
                    if abs(v) > w[key, 0]:
                        w[key, :2] = abs(v), 1 / abs(v)
                    w[key, 2] = 1
                v = (np.sign(v) if abs(v) > w[key, 0] else v * w[key, 1]) + w[key, 3]
            counted.append(v)
            out[row] += v * w[key, self.first :]
        return torch.tensor(out), torch.tensor(counted), torch.tensor(w)


@pytest.mark.parametrize("prefix", DTYPES)
@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("train", [False, True])
def test_index_linear(prefix, normalised, train):
    dtype, tolerance = DTYPES[prefix]
    case = Index(dtype, normalised)
    y, counted, weight = case.expected(case.weight, train)
    found = case.forward(prefix, train)
    assert_near(found[0], y, tolerance)
    assert_near(case.weight, weight, tolerance)
    if normalised:
        assert_near(found[1], counted, tolerance)
    else:
        assert found[1].numel() == 0


def test_index_linear_gradients():
    """Of weight's rows, by finite differences of the sum of output weighted by gy."""
    for normalised in (False, True):
        case = Index(normalised=normalised)
        _, counted = case.forward()
        if normalised:
            case.values, kept = counted, case.values
        gw, gb = torch.empty(0, dtype=torch.float64), torch.ones(2, dtype=torch.float64)
        _THNN.DoubleIndexLinear_accGradParameters(
            None, *case.given, case.gy, gw, gb, case.weight, case.bias, None, 0.0, 0.5
        )
        assert_near(gb, 1 + 0.5 * case.gy.sum(0))
        assert gw.shape == (9, 4 if normalised else 2)
        if normalised:
            case.values = kept
        total = torch.zeros_like(case.weight)
        for e, key in enumerate((case.keys + case.offset).tolist()):
            total[key, case.first :] += gw[e, :2]
            if normalised:
                total[key, 3] += (gw[e, 2:] * case.weight[key, 4:]).sum()
        for column in range(3 if normalised else 0, case.weight.shape[1]):
            for row in range(6):
                ends = []
                for step in (1e-6, -1e-6):
                    case.weight[row, column] += step
                    ends.append((case.forward()[0] * case.gy).sum().item())
                    case.weight[row, column] -= step
                assert 0.5 * (ends[0] - ends[1]) / 2e-6 == pytest.approx(total[row, column].item(), abs=1e-7)


@pytest.mark.parametrize("prefix", DTYPES)
@pytest.mark.parametrize("normalised", [False, True])
def test_index_linear_updates(prefix, normalised):
    """At once, or by gradients that were kept: the same steps."""
    dtype, tolerance = DTYPES[prefix]
    case, rate, decay = Index(dtype, normalised), 0.1, 0.3
    weight, bias = case.weight.double().numpy().copy(), case.bias.double() - rate * case.gy.double().sum(0)
    for row, key, v in zip(case.rows, (case.keys + case.offset).tolist(), case.values.tolist(), strict=True):
        g, w = case.gy[row].double().numpy(), weight[key]
        step = rate * (w[2] if normalised else 1)
        if normalised:
            w[3] -= step * (g * w[4:]).sum()
        w[case.first :] = w[case.first :] * (1 - decay * step) - step * g * v

    def call(name, *arguments):
        getattr(_THNN, f"{prefix}IndexLinear_{name}")(None, *arguments)

    at_once = case.weight.clone(), case.bias.clone()
    call("accUpdateGradParameters", *case.given, case.gy, *at_once, decay, rate)
    gw, gb = torch.empty(0, dtype=dtype), torch.zeros(2, dtype=dtype)
    call("accGradParameters", *case.given, case.gy, gw, gb, case.weight, case.bias, None, decay, 1.0)
    later = case.weight.clone(), case.bias.clone()
    call("updateParameters", gw, gb, *later, case.keys, case.ends, case.offset, decay, rate)
    for found in (at_once, later):
        assert_near(found[0], torch.tensor(weight), tolerance * 4)
        assert_near(found[1], bias, tolerance * 4)


def test_index_linear_refuses():
    case = Index()
    kept = case.weight.clone()
    for key, error in ((8, IndexError), (1, IndexError), (2**62, IndexError)):
        case.keys[3] = key
        with pytest.raises(error, match="key"):
            case.forward()
        case.keys[3] = 4
    for sizes in ([2, 0, 3, 3], [2, 0, 3, 5], [-1, 3, 3, 4], [2, 0, 3]):
        case.sizes = torch.tensor(sizes)
        with pytest.raises(RuntimeError, match="cumSumSizes"):
            case.forward()
    case = Index()
    case.weight = torch.zeros(6, 5, dtype=torch.float64)
    with pytest.raises(RuntimeError, match=r"inputs x \(4 \+ outputs\)"):
        case.forward()
    with pytest.raises(TypeError, match=r"keys must be a torch.int64"):
        case = Index()
        case.keys = case.keys.double()
        case.forward()
    assert kept.shape == (6, 2)


# ---- names -------------------------------------------------------------------------------------------------------


def test_every_function_of_the_field_is_bound():
    wanted = (DATA / "thnn_functions.txt").read_text().split()
    assert len(set(wanted)) == 171
    have = set(dir(_THNN))
    assert [name for name in wanted if not {f"Float{name}", f"Double{name}"} <= have] == []
