"""torch.masked of sparse tensors, with masks of any layout, and MaskedTensors of sparse layouts: what they have is what the same
of strided tensors gives wherever anything counts, and so are their gradients."""

import copy
import math
import pickle

import pytest
import torch
from torch import masked

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

REDUCTIONS = "sum prod amax amin argmax argmin mean var std norm logsumexp median".split()
OVER_ALL = set(REDUCTIONS) - {"median"}
NORMALISATIONS = "softmax log_softmax softmin normalize cumsum cumprod".split()
LAYOUTS = {
    "coo": lambda t: t.to_sparse(),
    "uncoalesced": lambda t: torch.sparse_coo_tensor(
        t.to_sparse().indices().flip(1), t.to_sparse().values().flip(0), t.shape
    ),
    "csr": lambda t: t.to_sparse_csr(),
    "csc": lambda t: t.to_sparse_csc(),
    "bsr": lambda t: t.to_sparse_bsr((2, 2)),
}
MASKS = {"strided": lambda m: m, "coo": lambda m: m.to_sparse(), "csr": lambda m: m.to_sparse_csr()}


def operands(*shape, dtype=torch.float64):
    generator = torch.Generator().manual_seed(sum(shape))
    data = torch.randn(shape, generator=generator, dtype=torch.float64)
    data = torch.where(torch.rand(shape, generator=generator) < 0.6, data, 0)
    if not dtype.is_floating_point:
        data = data * 4
    mask = torch.rand(shape, generator=generator) < 0.5
    mask.view(-1)[: shape[-1]] = False  # a row of which nothing counts
    return data.to(dtype), mask


def arguments(name, dim, **kwargs):
    return ((2.0, dim) if name in ("norm", "normalize") else (dim,)), kwargs


def any_of(mask, dim, keepdim):
    return mask.any(tuple(range(mask.dim())) if dim is None else dim, keepdim)


def assert_where(there, expected, found):
    """The same elements where `there`, and no entries elsewhere."""
    assert found.layout != torch.strided
    torch._validate_sparse_tensor(found)
    torch.testing.assert_close(found.to_dense(), torch.where(there, expected, 0), equal_nan=True)
    ones = found.to_sparse().coalesce()
    ones = torch.sparse_coo_tensor(ones.indices(), torch.ones_like(ones.values(), dtype=torch.bool), ones.shape)
    assert ones.to_dense().equal(there)


@pytest.mark.parametrize("mask_layout", MASKS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_sparse_tensors(name, layout, mask_layout):
    data, mask = operands(4, 6)
    function = getattr(masked, name)
    for dim in (0, 1, -1, None) if name in OVER_ALL else (0, 1, -1):
        for keepdim in (False, True):
            args, kwargs = arguments(name, dim, keepdim=keepdim)
            expected = function(data, *args, mask=mask, **kwargs)
            found = function(LAYOUTS[layout](data), *args, mask=MASKS[mask_layout](mask), **kwargs)
            assert_where(any_of(mask, dim, keepdim), expected, found)
            if keepdim and layout in ("csr", "csc"):
                assert found.layout == LAYOUTS[layout](data).layout


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", NORMALISATIONS)
def test_normalisations_of_sparse_tensors(name, layout):
    data, mask = operands(4, 6)
    for dim in (0, -1):
        args, _ = arguments(name, dim)
        expected = getattr(masked, name)(data, *args, mask=mask)
        found = getattr(masked, name)(LAYOUTS[layout](data), *args, mask=mask)
        assert_where(mask, expected, found)


@pytest.mark.parametrize("name", [*REDUCTIONS, *NORMALISATIONS])
def test_dense_dimensions(name):
    data, mask = operands(3, 4, 2)
    for dim in range(3):
        args, _ = arguments(name, dim)
        expected = getattr(masked, name)(data, *args, mask=mask)
        found = getattr(masked, name)(data.to_sparse(2), *args, mask=mask.to_sparse())
        there = mask if name in NORMALISATIONS else any_of(mask, dim, False)
        torch.testing.assert_close(found.to_dense(), torch.where(there, expected, 0), equal_nan=True)
        assert found.dense_dim() == (0 if dim == 2 and name in REDUCTIONS else 1)


@pytest.mark.parametrize("name", ["sum", "prod", "amax", "amin", "argmax", "var", "median"])
def test_integers(name):
    data, mask = operands(4, 6, dtype=torch.int32)
    mask[0, 2] = True  # a median of nothing there is not
    expected = getattr(masked, name)(data, 1, mask=mask)
    found = getattr(masked, name)(data.to_sparse(), 1, mask=mask)
    assert found.dtype == expected.dtype
    assert_where(any_of(mask, 1, False), expected, found)


@pytest.mark.parametrize("ord", [0, 1, 2, 3, 0.5, -1, math.inf, -math.inf])
def test_norms_of_every_order(ord):
    data, mask = operands(4, 6)
    expected = masked.norm(data, ord, 1, mask=mask)
    assert_where(any_of(mask, 1, False), expected, masked.norm(data.to_sparse(), ord, 1, mask=mask))


def test_nan_is_the_largest_and_no_median():
    data = torch.tensor([[1.0, math.nan, 3.0], [2.0, 5.0, 4.0], [math.nan, math.nan, math.nan]])
    mask = torch.ones(3, 3, dtype=torch.bool)
    for name in ("amax", "amin", "argmax", "argmin", "median"):
        expected = getattr(masked, name)(data, 1, mask=mask)
        found = getattr(masked, name)(data.to_sparse(), 1, mask=mask)
        torch.testing.assert_close(found.to_dense(), expected, equal_nan=True)


def test_masks_broadcast_and_the_input_may_be_strided():
    data, mask = operands(4, 6)
    row = mask[2:3]
    for given in (row, row.to_sparse(), row[0].to_sparse()):
        expected = masked.sum(data, 1, mask=row)
        torch.testing.assert_close(masked.sum(data.to_sparse(), 1, mask=given).to_dense(), expected)
        torch.testing.assert_close(masked.sum(data, 1, mask=given), expected)


def test_without_a_mask_sums_and_norms_are_of_what_is_there_and_others_ask_for_one():
    data, _ = operands(4, 6)
    sparse = data.to_sparse()
    torch.testing.assert_close(masked.sum(sparse, 0).to_dense(), data.sum(0))
    torch.testing.assert_close(masked.sum(sparse).to_dense(), data.sum())
    torch.testing.assert_close(masked.norm(sparse, 2.0, 1).to_dense(), data.norm(dim=1))
    for name in ("prod", "amax", "argmin", "mean", "softmax", "cumsum"):
        with pytest.raises(ValueError, match="mask"):
            getattr(masked, name)(sparse, 1)
    whole = torch.ones(2, 3).to_sparse()  # all elements are there
    torch.testing.assert_close(masked.mean(whole, 1).to_dense(), torch.ones(2))


def test_logaddexp_of_sparse_tensors():
    (x, mask), (y, other) = operands(4, 6), operands(6, 4)
    y, other = y.t(), other.t()
    expected = masked.logaddexp(x, y, input_mask=mask, other_mask=other)
    found = masked.logaddexp(x.to_sparse(), y.to_sparse(), input_mask=mask, other_mask=other)
    assert_where(mask | other, expected, found)
    with pytest.raises(ValueError, match="the same size"):
        masked.logaddexp(x.to_sparse(), y[:2].to_sparse(), input_mask=mask, other_mask=other[:2])


@pytest.mark.parametrize("layout", ["coo", "csr"])
@pytest.mark.parametrize("name", [n for n in [*REDUCTIONS, *NORMALISATIONS] if n not in ("argmax", "argmin")])
def test_derivatives_of_both_orders(name, layout):
    mask = torch.tensor([[True, False, True, True], [False, True, True, True], [False] * 4])
    pattern = LAYOUTS[layout](torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]], dtype=torch.float64))
    args, _ = arguments(name, 1)

    def function(values):
        if layout == "coo":
            sparse = torch.sparse_coo_tensor(pattern.indices(), values, pattern.shape, is_coalesced=True)
        else:
            sparse = torch.sparse_csr_tensor(pattern.crow_indices(), pattern.col_indices(), values, pattern.shape)
        kwargs = {} if name in NORMALISATIONS else {"keepdim": True}
        return getattr(masked, name)(sparse, *args, mask=mask, **kwargs).to_dense(masked_grad=False)

    values = torch.tensor([0.3, -1.2, 0.7, 2.1, 1.5], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(function, (values,))
    assert torch.autograd.gradgradcheck(function, (values,))


def test_rows_without_order_are_reduced_as_those_in_order():
    data, mask = operands(4, 6)
    sparse = LAYOUTS["uncoalesced"](data)
    before = sparse._indices().clone(), sparse._values().clone()
    found = masked.cumsum(sparse, 1, mask=mask)
    assert_where(mask, masked.cumsum(data, 1, mask=mask), found)
    assert not sparse.is_coalesced()
    assert sparse._indices().equal(before[0])
    assert sparse._values().equal(before[1])


# ---- MaskedTensor --------------------------------------------------------------------------------------------
DATA = torch.tensor([[0.3, -1.2, 0.7, 2.1], [1.5, 0.4, -0.6, 0.9]], dtype=torch.float64)
MASK = torch.tensor([[True, False, True, True], [False, True, True, True]])
TO = {"coo": lambda x: x.to_sparse(), "csr": lambda x: x.to_sparse_csr(), "csc": lambda x: x.to_sparse_csc()}


def same(one, other):
    if not one.dim():
        assert one.layout == torch.strided
    assert one.get_mask().to_dense().equal(other.get_mask().to_dense())
    torch.testing.assert_close(one.to_tensor(0), other.to_tensor(0), equal_nan=True)


@pytest.mark.parametrize("to", TO)
def test_masked_tensors_become_sparse_and_dense_again(to):
    x = masked.masked_tensor(DATA, MASK)
    y = TO[to](x)
    assert y.layout == getattr(torch, f"sparse_{to}")
    assert (y.is_sparse, y.is_sparse_coo(), y.is_sparse_csr()) == (True, to == "coo", to == "csr")
    assert (x.is_sparse, x.is_sparse_coo(), x.is_sparse_csr()) == (False, False, False)
    assert y.get_data()._nnz() == y.get_mask()._nnz() == int(MASK.sum())
    assert TO[to](y) is y
    same(y, x)
    same(y.to_dense(), x)
    assert y.to_dense().layout == torch.strided
    assert x.to_sparse_coo().layout == torch.sparse_coo
    # What does not count, and is 0 then, is printed alike.
    assert repr(y) == repr(x)


@pytest.mark.parametrize("to", TO)
@pytest.mark.parametrize(
    "call",
    ["x.sin()", "x.cos()", "x.exp()", "-x", "x.sqrt()", "x + x", "x * x", "x - 2", "3 * x", "x / x", "x > 0", "x == x"]
    + ["x.sum()", "x.sum(0)", "x.mean(1)", "x.amax(1)", "x.amin(0)", "x.prod(1)", "x.var(1)", "x.argmax(1)", "x.norm()"]
    + ["x.all(1)", "x.softmax(1)", "x.clone()", "x.detach()", "x.t()", "x.float()", "x.clamp(min=0)", "x.add_(x)"]
    + [
        "x.sin_()",
        "x.mul_(2)",
        "x[1]",
        "torch.ones_like(x)",
        "x.t().sin()",
        "torch.cat([x, x], 1).exp()",
        "x.swapaxes(0, 1)",
    ]
    + ["x.mT.cos()", "copy.copy(x.mT)", "x[None].exp()", "x.unsqueeze(1) * 2", "x.std(0)", "x.pow(2).sqrt()"],
)
def test_operators_of_sparse_masked_tensors(call, to):
    x = masked.masked_tensor(DATA, MASK)
    expected, found = (eval(call, {"x": value, "torch": torch, "copy": copy}) for value in (x, TO[to](x)))
    assert type(found) is masked.MaskedTensor
    same(found, expected)


@pytest.mark.parametrize("to", TO)
@pytest.mark.parametrize(
    "call", ["x.sin().to_tensor(0)", "(x * x.exp()).sum().to_tensor(0)", "x.softmax(1).to_tensor(0)", "x.get_data()"]
)
def test_sparse_masked_tensors_have_derivatives(call, to):
    def function(values):
        result = eval(call, {"x": TO[to](masked.as_masked_tensor(values, MASK))})
        return result.to_dense(masked_grad=False)

    x = DATA.abs().requires_grad_()
    assert torch.autograd.gradcheck(function, (x,))
    assert torch.autograd.gradgradcheck(function, (x,))


@pytest.mark.parametrize("to", TO)
def test_the_gradient_of_a_sparse_masked_tensor_is_one(to):
    mask = TO[to](MASK)
    x = masked.masked_tensor(DATA.sparse_mask(mask), mask, requires_grad=True)
    (x * x).sum().backward()
    assert type(x.grad) is masked.MaskedTensor
    assert x.grad.layout == x.layout
    torch.testing.assert_close(x.grad.to_tensor(0), 2 * DATA * MASK)


@pytest.mark.parametrize("to", TO)
def test_members_of_sparse_masked_tensors(to):
    x = TO[to](masked.masked_tensor(DATA, MASK, requires_grad=True))
    data = x.get_data()
    assert (x._nnz(), x.sparse_dim(), x.dense_dim()) == (6, 2, 0)
    assert x.values().get_data().equal(data.values())
    assert x.values().get_mask().all()
    names = {"coo": ("indices",), "csr": ("crow_indices", "col_indices"), "csc": ("ccol_indices", "row_indices")}[to]
    for name in names:
        assert getattr(x, name)().equal(getattr(data, name)())
    if to == "coo":
        assert x.is_coalesced()
        assert x.coalesce() is x


def test_data_with_other_entries_gets_those_of_the_mask():
    x = masked.masked_tensor(DATA.to_sparse(), MASK.to_sparse())
    assert x.get_data().indices().equal(MASK.to_sparse().indices())
    with pytest.raises(ValueError, match="not at the same places"):
        masked.masked_tensor(DATA.sparse_mask((~MASK).to_sparse()), (~MASK).roll(1, 1).to_sparse())
    with pytest.raises(TypeError, match="the same layout"):
        masked.masked_tensor(DATA.to_sparse(), MASK)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("to", TO)
def test_copies_of_sparse_masked_tensors(copied, to):
    x = TO[to](masked.masked_tensor(DATA, MASK))
    y = copied(x)
    assert type(y) is masked.MaskedTensor
    assert y.layout == x.layout
    same(y, x)


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("x.is_contiguous()", ValueError, "has no is_contiguous"),
        ("x.contiguous()", ValueError, "has no is_contiguous"),
        ("x + torch.ones(2, 4)", ValueError, "the same layout and places"),
        ("x + y", ValueError, "Input masks must match"),
        ("masked.masked_tensor(DATA[0], MASK[0]).to_sparse_csr()", RuntimeError, "two dimensions"),
        ("x.to_sparse(1)", TypeError, "without further arguments"),
        ("masked.sum(x.get_data(), 0, mask=torch.ones(1, 2, 4))", IndexError, "mask has 3 dimensions and the input 2"),
        ("masked.amax((DATA > 0).to_sparse(), 0, mask=MASK)", NotImplementedError, "identity of amax on torch.bool"),
        ("masked.mean(DATA.long().to_sparse(), 0, mask=MASK)", ValueError, "Could not infer output dtype"),
        ("masked.sum(x.get_data(), 2, mask=MASK)", IndexError, "Dimension out of range"),
    ],
)
def test_mistakes_with_sparse_tensors(code, error, says):
    x = masked.masked_tensor(DATA, MASK).to_sparse()
    y = masked.masked_tensor(DATA, ~MASK).to_sparse()
    with pytest.raises(error, match=says):
        eval(code, {"x": x, "y": y, "torch": torch, "masked": masked, "DATA": DATA, "MASK": MASK})
    torch.testing.assert_close(x.to_tensor(0), DATA * MASK)
