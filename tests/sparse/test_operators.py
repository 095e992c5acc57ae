"""Operators of sparse tensors against the same operators of dense ones: what they hold is the same, and results are valid.

test_sparse_golden.py asks whether layouts, flags and members are PyTorch's; here every operator meets every layout, dtype and
kind of tensor: without entries, with dense dimensions, with entries of one place that are not added up yet."""

import math

import pytest
import torch

DTYPES = (torch.float32, torch.float64, torch.int64, torch.complex128, torch.bool)
FLOATS = (torch.float32, torch.float64, torch.complex128)


def elements(shape, dtype, seed=0, density=0.4):
    """A dense tensor with zeros."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.randint(-4, 5, shape, generator=generator).to(dtype if dtype != torch.bool else torch.int64)
    if dtype in FLOATS:
        values = values / 2
    if dtype == torch.complex128:
        values = values + 0.5j * torch.randint(-2, 3, shape, generator=generator)
    keep = torch.rand(shape, generator=generator) < density
    return torch.where(keep, values, torch.zeros_like(values)).to(dtype)


def uncoalesced(dense):
    """By coordinates; each element is there twice, as parts that add up to it."""
    once = dense.to_sparse()
    if dense.dtype == torch.bool:
        halves = once.values(), once.values()
    elif dense.dtype == torch.int64:
        halves = once.values() - 3, torch.full_like(once.values(), 3)
    else:
        halves = once.values() / 2, once.values() / 2
    order = torch.arange(2 * once._nnz()).flip(0)
    return torch.sparse_coo_tensor(
        torch.cat([once.indices(), once.indices()], 1)[:, order], torch.cat(halves)[order], dense.shape
    )


LAYOUTS = {
    "coo": lambda dense: dense.to_sparse(),
    "uncoalesced": uncoalesced,
    "csr": lambda dense: dense.to_sparse_csr(),
    "csc": lambda dense: dense.to_sparse_csc(),
    "bsr": lambda dense: dense.to_sparse_bsr((2, 3)),
    "bsc": lambda dense: dense.to_sparse_bsc((2, 3)),
}
COO = ("coo", "uncoalesced")


def dense_of(result):
    if isinstance(result, torch.Tensor):
        if result.layout != torch.strided:
            torch._validate_sparse_tensor(result)
        return result.to_dense() if result.layout != torch.strided else result
    return result


def same(result, expected, exact_dtype=True):
    if isinstance(expected, (tuple, list)):
        assert len(result) == len(expected)
        for one, other in zip(result, expected):
            same(one, other)
        return
    if not isinstance(expected, torch.Tensor):
        assert result == expected
        return
    got = dense_of(result)
    assert got.shape == expected.shape
    assert not exact_dtype or got.dtype == expected.dtype
    torch.testing.assert_close(got, expected, check_dtype=False, equal_nan=True)


# Results of `sparse` where the layout can stay.
UNARY = """abs neg sign sgn sin tan sinh tanh asin atan asinh sqrt expm1 trunc floor ceil round frac erf deg2rad rad2deg square
    relu nan_to_num isnan isinf signbit positive conj_physical real""".split()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_an_element(name, layout):
    function = getattr(torch, name)
    for dtype in DTYPES:
        dense = elements((4, 6), dtype)
        try:
            expected = function(dense)
        except (RuntimeError, TypeError):
            with pytest.raises((RuntimeError, TypeError)):
                function(LAYOUTS[layout](dense))
            continue
        result = function(LAYOUTS[layout](dense))
        assert result.layout == LAYOUTS[layout](dense).layout
        same(result, expected)


@pytest.mark.parametrize("name", "exp log cos cosh acos sigmoid reciprocal logical_not isfinite".split())
def test_what_is_not_zero_of_zero_is_refused_by_name(name):
    for make in LAYOUTS.values():
        with pytest.raises(RuntimeError, match=name):
            getattr(torch, name)(make(elements((4, 6), torch.float64)))


PAIRS = """eq ne lt le gt ge maximum minimum fmax fmin add sub mul atan2 hypot logical_and logical_or logical_xor
    bitwise_and bitwise_or bitwise_xor gcd""".split()


@pytest.mark.parametrize("other_layout", ["coo", "uncoalesced", "csr", "dense"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_operators_of_two_tensors(layout, other_layout):
    for name in PAIRS:
        function = getattr(torch, name)
        for dtype in DTYPES:
            one, two = elements((4, 6), dtype), elements((4, 6), dtype, 1)
            try:
                expected = function(one, two)
            except (RuntimeError, TypeError):
                continue
            a = LAYOUTS[layout](one)
            b = two if other_layout == "dense" else LAYOUTS[other_layout](two)
            if name in ("eq", "le", "ge") and other_layout != "dense":
                with pytest.raises(NotImplementedError, match=name):
                    function(a, b)
                continue
            same(function(a, b), expected)
            if name in ("add", "mul", "maximum"):
                same(function(b, a), function(two, one))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_number_beside(layout):
    for dtype in (torch.float64, torch.int64):
        dense = elements((4, 6), dtype)
        sparse = LAYOUTS[layout](dense)
        for function in (
            lambda t: t * 3,
            lambda t: t / 4,
            lambda t: t // 2,
            lambda t: t % 3,
            lambda t: t > 1,
            lambda t: t < 0,
            lambda t: t != 0,
            lambda t: t == 2,
            lambda t: t.clamp(min=-1),
            lambda t: t.clamp(-1, 1),
            lambda t: torch.maximum(t, torch.zeros((), dtype=t.dtype)),
            lambda t: t**2,
        ):
            same(function(sparse), function(dense))
        for function in (lambda t: t + 1, lambda t: t == 0, lambda t: t.clamp(min=1), lambda t: t <= 1, lambda t: 2**t):
            with pytest.raises(RuntimeError):
                function(sparse)


def test_broadcasting_beside_a_dense_tensor():
    for layout in COO:
        sparse = LAYOUTS[layout](elements((4, 6), torch.float64))
        dense = sparse.to_dense()
        for shape in ((6,), (4, 1), (1, 6), (2, 4, 6), ()):
            other = elements(shape, torch.float64, 2, 1.0)
            same(sparse * other, dense * other)
            same(other * sparse, other * dense)
            if shape:
                same(other + sparse, other + dense)


def test_a_dense_divisor_has_no_zeros():
    sparse, other = elements((4, 6), torch.float64).to_sparse(), elements((4, 6), torch.float64, 1, 1.0)
    same(sparse / other.abs().add(1), sparse.to_dense() / other.abs().add(1))
    other[0, 0] = 0
    with pytest.raises(RuntimeError, match="zero"):
        sparse / other


SHAPES = {
    "t": lambda t: t.t(),
    "transpose": lambda t: t.transpose(0, -1),
    "movedim": lambda t: t.movedim(0, 1),
    "unsqueeze": lambda t: t.unsqueeze(1),
    "squeeze": lambda t: t.unsqueeze(1).squeeze(),
    "squeeze one": lambda t: t.unsqueeze(0).squeeze(0),
    "reshape": lambda t: t.reshape(3, 8),
    "reshape more": lambda t: t.reshape(2, -1, 3),
    "flatten": lambda t: t.flatten(),
    "expand": lambda t: t.unsqueeze(0).expand(3, -1, -1),
    "repeat": lambda t: t.repeat(2, 3),
    "repeat more": lambda t: t.repeat(2, 1, 2),
    "tile": lambda t: t.tile((2,)),
    "flip": lambda t: t.flip(0, 1),
    "roll": lambda t: t.roll(2, 1),
    "rot90": lambda t: t.rot90(),
    "select": lambda t: t.select(1, 2),
    "select last": lambda t: t[-1],
    "element": lambda t: t[1, 2],
    "slice": lambda t: t[2:],
    "slice two": lambda t: t[1:3, 1:],
    "steps": lambda t: t[:, ::2],
    "list": lambda t: t[[2, 0, 2]],
    "mask": lambda t: t[:, torch.tensor([True, False, True, True, False, False])],
    "none": lambda t: t[None, :, 1],
    "index_select": lambda t: t.index_select(1, torch.tensor([5, 0, 0])),
    "unbind": lambda t: t.unbind(1),
    "split": lambda t: t.split(3, 1),
    "chunk": lambda t: t.chunk(2),
    "tensor_split": lambda t: t.tensor_split(3, 1),
    "narrow": lambda t: t.narrow(0, 1, 2),
    "cat": lambda t: torch.cat([t, t], 1),
    "stack": lambda t: torch.stack([t, t]),
    "hstack": lambda t: torch.hstack([t, t]),
    "vstack": lambda t: torch.vstack([t, t]),
    "tril": lambda t: t.tril(),
    "triu": lambda t: t.triu(1),
    "diagonal": lambda t: t.diagonal(1),
    "diagonal below": lambda t: t.diagonal(-2),
    "diag": lambda t: t.diag(),
    "diag of a vector": lambda t: t[0].diag(-1),
    "clone": lambda t: t.clone(),
    "select_copy": lambda t: torch.select_copy(t, 0, 1),
    "permute_copy": lambda t: torch.permute_copy(t, (1, 0)),
    "kron": lambda t: torch.kron(t, t),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_and_parts(name, layout):
    for dtype in DTYPES:
        for density in (0.4, 0.0):
            dense = elements((4, 6), dtype, 3, density)
            same(SHAPES[name](LAYOUTS[layout](dense)), SHAPES[name](dense))


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.t_(),
        lambda t: t.transpose_(0, 1),
        lambda t: t.unsqueeze_(0),
        lambda t: t.unsqueeze_(1).squeeze_(),
        lambda t: t.neg_(),
        lambda t: t.mul_(2),
        lambda t: t.zero_(),
        lambda t: t.abs_(),
    ],
)
def test_in_place(change):
    dense = elements((4, 6), torch.float64)
    sparse, changed = dense.to_sparse(), dense.clone()
    assert change(sparse) is sparse
    change(changed)
    same(sparse, changed)


def test_in_place_entries_of_one_place_are_not_added_up():
    sparse = uncoalesced(elements((4, 6), torch.float64))
    before = sparse.to_dense()
    with pytest.raises(RuntimeError, match="coalesced"):
        sparse.abs_()
    same(sparse, before)
    sparse.neg_()
    same(sparse, -before)


HYBRID = {
    "abs": torch.abs,
    "sum": torch.sum,
    "sum sparse": lambda t: t.sum(0),
    "sum dense": lambda t: t.sum(2),
    "sum both": lambda t: t.sum((1, 2)),
    "sum kept": lambda t: t.sum((0, 2), keepdim=True),
    "amax": lambda t: t.amax(0),
    "amax dense": lambda t: t.amax(2),
    "amin both": lambda t: t.amin((0, 2)),
    "amin kept": lambda t: t.amin((0, 2), keepdim=True),
    "mean": lambda t: t.mean(1),
    "norm": lambda t: t.norm(dim=1),
    "select": lambda t: t[1],
    "select dense": lambda t: t[:, :, 1],
    "transpose": lambda t: t.transpose(0, 1),
    "narrow": lambda t: t.narrow(2, 0, 1),
    "index_select": lambda t: t.index_select(2, torch.tensor([1, 1, 0])),
    "flip": lambda t: t.flip(2, 0),
    "repeat": lambda t: t.repeat(1, 2, 2),
    "expand": lambda t: t[:, :, :1].expand(-1, -1, 5),
    "reshape": lambda t: t.reshape(12, 2),
    "reshape all": lambda t: t.reshape(3, 8),
    "cat": lambda t: torch.cat([t, t], 2),
    "times a vector": lambda t: t * torch.tensor([2.0, 3.0], dtype=t.dtype),
    "add": lambda t: t + t.flip(0),
    "mul": lambda t: t * t.flip(0),
    "maximum": lambda t: torch.maximum(t, t.flip(0)),
}


@pytest.mark.parametrize("name", HYBRID)
def test_dense_dimensions(name):
    for density in (0.5, 0.0):
        dense = elements((3, 4, 2), torch.float64, 4, density)
        same(HYBRID[name](dense.to_sparse(2)), HYBRID[name](dense))
        doubled = dense.to_sparse(2)
        doubled = torch.sparse_coo_tensor(
            torch.cat([doubled.indices(), doubled.indices()], 1),
            torch.cat([doubled.values(), doubled.values()]),
            dense.shape,
        )
        same(HYBRID[name](doubled), HYBRID[name](2 * dense))


REDUCTIONS = "sum mean prod amax amin any all count_nonzero".split()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name, layout):
    function = getattr(torch, name)
    for dtype in DTYPES:
        for density in (0.5, 1.0, 0.0):
            dense = elements((4, 6), dtype, 5, density)
            sparse = LAYOUTS[layout](dense)
            ways = [(), (0,), (1,), (-1,)]
            if name != "prod":
                ways.append(((0, 1),))
            if name != "count_nonzero":
                ways += [(0, True), (1, True)]
            for way in ways:
                try:
                    expected = function(dense, *way)
                except (RuntimeError, TypeError):
                    continue
                same(function(sparse, *way), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_norms(layout):
    for dtype in FLOATS:
        dense = elements((4, 6), dtype, 6)
        sparse = LAYOUTS[layout](dense)
        for p in (2, 1, 0, 3, 0.5, math.inf, -math.inf):
            same(torch.norm(sparse, p), torch.norm(dense, p))
            if p >= 0:
                same(torch.norm(sparse, p, dim=1), torch.norm(dense, p, dim=1))
        same(torch.linalg.norm(sparse), torch.linalg.norm(dense))
        same(torch.linalg.matrix_norm(sparse), torch.linalg.matrix_norm(dense))
        same(torch.native_norm(sparse), torch.norm(dense))
    same(
        sparse.max() if dtype != torch.complex128 else torch.zeros(1),
        dense.max() if dtype != torch.complex128 else torch.zeros(1),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_equality(layout):
    dense = elements((4, 6), torch.float64)
    sparse, zeros = LAYOUTS[layout](dense), torch.sparse_coo_tensor([[0], [0]], [0.0], (4, 6), dtype=torch.float64)
    other = dense.clone()
    other[1, 1] += 1
    for make in (*LAYOUTS.values(), lambda t: t):
        assert torch.equal(sparse, make(dense))
        assert not torch.equal(sparse, make(other))
        assert torch.allclose(sparse, make(dense + 1e-12 * dense))
        assert not torch.allclose(sparse, make(other))
    assert torch.equal(sparse + zeros if layout in COO else sparse, dense)
    assert torch.equal(zeros, torch.zeros(4, 6, dtype=torch.float64).to_sparse())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_softmax_of_what_is_there(layout):
    dense = elements((4, 6), torch.float64, 7)
    sparse = LAYOUTS[layout](dense)
    places = sparse.to_sparse().coalesce().indices()
    there = torch.zeros(4, 6, dtype=torch.bool)
    there[tuple(places)] = True
    hidden = torch.where(there, dense, -torch.inf)
    for dim in (0, 1):
        expected = torch.where(there, hidden.softmax(dim), 0.0)
        result = torch.sparse.softmax(sparse, dim)
        same(result, expected)
        assert result.layout == sparse.layout
        same(torch.sparse.log_softmax(sparse, dim), torch.where(there, hidden.log_softmax(dim), 0.0))


PRODUCTS = {
    "mm": lambda a, b: torch.mm(a, b),
    "matmul": lambda a, b: a @ b,
    "addmm": lambda a, b: torch.addmm(torch.ones(4, 5, dtype=a.dtype), a, b, beta=2, alpha=3),
    "mv": lambda a, b: a @ (b[:, 0] if b.layout == torch.strided else b.to_dense()[:, 0]),
    "addmv": lambda a, b: torch.addmv(torch.ones(4, dtype=a.dtype), a, b.to_dense()[:, 0], beta=2),
    "linear": lambda a, b: torch.nn.functional.linear(a, b.t()),
    "linear of a sparse weight": lambda a, b: torch.nn.functional.linear(
        b.to_dense().t(), a, torch.ones(4, dtype=a.dtype)
    ),
}


@pytest.mark.parametrize("other_layout", ["dense", "coo", "csr", "csc"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name, layout, other_layout):
    for dtype in FLOATS:
        for density in (0.5, 0.0):
            one, two = elements((4, 6), dtype, 8, density), elements((6, 5), dtype, 9)
            b = two if other_layout == "dense" else LAYOUTS[other_layout](two)
            same(PRODUCTS[name](LAYOUTS[layout](one), b), PRODUCTS[name](one, two))


@pytest.mark.parametrize("layout", ["coo", "uncoalesced", "csr", "csc"])
def test_products_of_batches(layout):
    dense, two = elements((3, 4, 6), torch.float64, 10), elements((3, 6, 5), torch.float64, 11)
    sparse = LAYOUTS[layout](dense) if layout in COO else LAYOUTS["coo"](dense)
    flat, matrix = LAYOUTS[layout](dense[0]), two[0]
    same(torch.bmm(sparse, two), torch.bmm(dense, two))
    same(
        torch.baddbmm(torch.ones(3, 4, 5, dtype=torch.float64), sparse, two, beta=2),
        torch.baddbmm(torch.ones(3, 4, 5, dtype=torch.float64), dense, two, beta=2),
    )
    same(sparse @ matrix, dense @ matrix)
    same(flat @ two, dense[0] @ two)
    same(dense.transpose(1, 2) @ flat, dense.transpose(1, 2) @ dense[0])
    same(sparse @ matrix[:, 0], dense @ matrix[:, 0])


def test_products_by_rows():
    for layout in COO:
        one, two = elements((4, 6), torch.float64, 12), elements((6, 5), torch.float64, 13, 1.0)
        sparse = LAYOUTS[layout](one)
        for function in (torch.smm, torch.hspmm):
            made = function(sparse, two)
            assert made.layout == torch.sparse_coo
            same(made, one @ two)
        start = elements((4, 5), torch.float64, 14)
        same(torch.sspaddmm(LAYOUTS[layout](start), sparse, two, beta=2, alpha=3), 2 * start + 3 * one @ two)
    with pytest.raises(RuntimeError, match="smm"):
        torch.smm(sparse, two.to_sparse())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sampled_addmm(layout):
    dense, one, two = (
        elements((4, 6), torch.float64, 15),
        elements((4, 3), torch.float64, 16, 1.0),
        elements((3, 6), torch.float64, 17, 1.0),
    )
    sparse = LAYOUTS[layout](dense)
    there = torch.zeros(4, 6, dtype=torch.float64)
    there[tuple(sparse.to_sparse().coalesce().indices())] = 1
    result = torch.sparse.sampled_addmm(sparse, one, two, beta=0.5, alpha=2)
    assert result.layout == sparse.layout
    same(result, 0.5 * dense + 2 * (one @ two) * there)
    same(torch.sparse.sampled_addmm(sparse, one, two, beta=0), (one @ two) * there)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_triangular_systems(layout):
    for dtype in FLOATS:
        dense = elements((6, 6), dtype, 18) + 3 * torch.eye(6, dtype=dtype)
        right = elements((6, 2), dtype, 19, 1.0)
        sparse = LAYOUTS[layout](dense)
        for upper in (False, True):
            for transpose in (False, True):
                for unit in (False, True):
                    got, _ = torch.triangular_solve(right, sparse, upper, transpose, unit)
                    same(got, torch.triangular_solve(right, dense, upper, transpose, unit)[0])
            same(
                torch.linalg.solve_triangular(sparse, right, upper=upper),
                torch.linalg.solve_triangular(dense, right, upper=upper),
            )
            same(
                torch.linalg.solve_triangular(sparse, right.t(), upper=upper, left=False),
                torch.linalg.solve_triangular(dense, right.t(), upper=upper, left=False),
            )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nonzero(layout):
    dense = elements((4, 6), torch.float64, 20)
    sparse = LAYOUTS[layout](dense)
    same(torch.nonzero(sparse), torch.nonzero(dense))
    same(torch.nonzero(sparse, as_tuple=True), torch.nonzero(dense, as_tuple=True))
    same(torch.argwhere(sparse), torch.argwhere(dense))


GRADIENTS = {
    "softmax": lambda t: torch.sparse.softmax(t, 1),
    "log_softmax": lambda t: torch.sparse.log_softmax(t, 0),
    "amax": lambda t: t.amax(1),
    "mean": lambda t: t.mean(0),
    "reshape": lambda t: t.reshape(3, 8),
    "slice": lambda t: t[1:, ::2],
    "unbind": lambda t: t.unbind(0)[1],
    "tril": lambda t: t.tril(),
    "diagonal": lambda t: t.diagonal(),
    "repeat": lambda t: t.repeat(2, 1),
    "hspmm": lambda t: (torch.hspmm if t.is_sparse else torch.mm)(t, torch.ones(6, 2, dtype=torch.float64)),
    "kron": lambda t: torch.kron(t, t),
    "maximum": lambda t: torch.maximum(t, t.flip(0)),
    "norm": lambda t: t.norm(),
    "clamp": lambda t: t.clamp(-1, 1),
    "linear": lambda t: torch.nn.functional.linear(torch.ones(2, 6, dtype=torch.float64), t),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_are_those_of_the_dense_computation(name):
    function, dense = GRADIENTS[name], elements((4, 6), torch.float64, 21).requires_grad_()
    places = dense.detach().to_sparse().indices()

    def scalar(result):
        made = result.to_dense() if result.layout != torch.strided else result
        return (made * torch.arange(1, made.numel() + 1, dtype=torch.float64).reshape(made.shape)).sum()

    values = dense.detach()[tuple(places)].requires_grad_()
    scalar(function(torch.sparse_coo_tensor(places, values, (4, 6), is_coalesced=True))).backward()
    if "softmax" in name:
        there = torch.zeros(4, 6, dtype=torch.bool)
        there[tuple(places)] = True
        dim = 1 if name == "softmax" else 0
        hidden = torch.where(there, dense, -torch.inf)
        full = hidden.softmax(dim) if name == "softmax" else hidden.log_softmax(dim)
        scalar(torch.where(there, full, 0.0)).backward()
    else:
        scalar(function(dense)).backward()
    torch.testing.assert_close(values.grad, dense.grad[tuple(places)])


def test_gradients_of_triangular_systems():
    dense = elements((5, 5), torch.float64, 22).tril() + 3 * torch.eye(5, dtype=torch.float64)
    right = elements((5, 2), torch.float64, 23, 1.0).requires_grad_()
    places = dense.to_sparse().indices()
    values = dense[tuple(places)].requires_grad_()

    def solve(values, right):
        matrix = torch.sparse_coo_tensor(places, values, (5, 5), is_coalesced=True)
        return torch.triangular_solve(right, matrix, upper=False)[0]

    assert torch.autograd.gradcheck(solve, (values, right))
    assert torch.autograd.gradgradcheck(solve, (values, right))


def test_writing_through_an_index_is_refused():
    for make in LAYOUTS.values():
        sparse = make(elements((4, 6), torch.float64))
        before = sparse.to_dense()
        for index in (0, (0, 1), slice(1, 2), [0, 1], None, ..., True):
            with pytest.raises(TypeError, match="sparse"):
                sparse[index] = 1.0
        same(sparse, before)


@pytest.mark.parametrize(
    "use",
    [
        lambda t: t.data_ptr(),
        lambda t: t.storage(),
        lambda t: t.untyped_storage(),
        lambda t: t.numpy(),
        lambda t: t.__array__(),
        lambda t: t.__dlpack__(),
        lambda t: torch.from_dlpack(t),
        lambda t: memoryview(t),
        lambda t: t.tolist(),
        lambda t: t.item(),
        lambda t: bool(t),
        lambda t: float(t),
        lambda t: t.contiguous(),
        lambda t: t.view(-1),
        lambda t: t.view(torch.int64),
        lambda t: t.as_strided((2,), (1,)),
        lambda t: t.set_(torch.zeros(3, dtype=torch.float64)),
        lambda t: torch.zeros(3, dtype=torch.float64).set_(t),
        lambda t: t.resize_(1000),
        lambda t: t.unfold(0, 2, 1),
        lambda t: t.share_memory_(),
        lambda t: t.sort(),
        lambda t: t.cumsum(0),
        lambda t: torch.zeros(4, 6, dtype=torch.float64).copy_(t),
        lambda t: t.copy_(torch.zeros(4, 6, dtype=torch.float64)),
        lambda t: torch.zeros(4, 6, dtype=torch.float64).index_put_((torch.tensor([0]),), t[0:1]),
        lambda t: torch.where(t > 0, t, t),
        lambda t: torch.zeros(6, dtype=torch.float64)[t],
        lambda t: torch.take(t, torch.tensor([0])),
        lambda t: torch.gather(t, 0, torch.zeros(1, 1, dtype=torch.int64)),
        lambda t: torch.fft.fft(t),
        lambda t: torch.linalg.svd(t),
        lambda t: torch.nn.functional.conv1d(t, torch.ones(1, 4, 3, dtype=torch.float64)),
        lambda t: torch.view_as_real(t),
        lambda t: t.uniform_(),
        lambda t: t.fill_diagonal_(1.0),
    ],
)
def test_nothing_reaches_memory_that_is_not_there(use):
    for make in LAYOUTS.values():
        sparse = make(elements((4, 6), torch.float64))
        with pytest.raises((RuntimeError, TypeError, BufferError, ValueError)):
            use(sparse)
        torch._validate_sparse_tensor(sparse)
        same(sparse, elements((4, 6), torch.float64))
