"""Gradients by the form of a call: operands that broadcast, are empty or strided; in place, out=, views; what a call gives."""

import pytest
import torch

A = torch.tensor([[2.0, 1.0, 0.5], [0.25, 3.0, -1.0], [1.0, -0.5, 4.0]], dtype=torch.float64)


def assert_close(got, want):
    assert got.shape == want.shape and torch.allclose(got, want), f"{got}\n{want}"


def leaf(t=A):
    return t.clone().requires_grad_()


def gradient(function, *leaves):
    return torch.autograd.grad(function(*leaves).sum(), leaves)


# A result that its operator makes by transposing something of its own is no view, and can be written.
OWN = {
    "inv": torch.linalg.inv,
    "solve": lambda a: torch.linalg.solve(a, A),
    "cholesky": lambda a: torch.linalg.cholesky(a @ a.mT),
    "lu_factor": lambda a: torch.linalg.lu_factor(a).LU,
    "solve_triangular": lambda a: torch.linalg.solve_triangular(a, A, upper=True),
    "cholesky_inverse": lambda a: torch.cholesky_inverse(a),
    "roll": lambda a: a.roll(1),
    "slice_scatter": lambda a: a.slice_scatter(A[:1], 0, 1, 2),
    "diagonal_scatter": lambda a: a.diagonal_scatter(A[0]),
    "select_scatter": lambda a: a.select_scatter(A[0], 0, 1),
    "triangular_solve": lambda a: torch.triangular_solve(A, a).solution,
    "svdvals": torch.linalg.svdvals,
    "unsafe_split": lambda a: a.unsafe_split(2)[0],
    "unsafe_chunk": lambda a: torch.unsafe_chunk(a, 3)[1],
}


@pytest.mark.parametrize("name", OWN)
def test_own_results_are_no_views_and_may_be_written(name):
    function = OWN[name]
    assert not function(leaf() * 1)._is_view()
    assert not function(A)._is_view()
    # The product keeps what it multiplies, not what it gives: its node is the last one.
    (want,) = gradient(lambda a: 3 * function(a), leaf())
    assert want.abs().sum() > 0
    written = leaf()
    result = function(written * 1).mul_(3)
    assert type(result.grad_fn).__name__ == "MulBackward0"
    try:
        (got,) = torch.autograd.grad(result.sum(), written)
    except RuntimeError as error:  # its formula needs the result, as it was
        assert "modified by an inplace operation" in str(error)
    else:
        assert_close(got, want)


@pytest.mark.parametrize(
    "shapes", [((3, 1), (2,)), ((), (2, 3)), ((1, 3), (2, 1)), ((0, 3), (1, 3)), ((2, 1, 3), (4, 1))]
)
@pytest.mark.parametrize(
    "name", ["add", "sub", "mul", "div", "pow", "atan2", "maximum", "fmod", "hypot", "copysign", "lerp"]
)
def test_a_gradient_has_the_shape_of_its_operand(name, shapes):
    made = [
        torch.arange(1, 1 + torch.Size(shape).numel(), dtype=torch.float64).reshape(shape) + 0.5 for shape in shapes
    ]
    function = (lambda a, b: torch.lerp(a, a + 1, b)) if name == "lerp" else getattr(torch, name)
    a, b = (leaf(t) for t in made)
    found = gradient(function, a, b)
    assert [g.shape for g in found] == [a.shape, b.shape]
    wide = [leaf(t) for t in torch.broadcast_tensors(*made)]
    for got, whole, t in zip(found, gradient(function, *wide), made):
        assert_close(got, whole.sum_to_size(t.shape))


def test_a_number_that_asks_for_a_gradient_is_a_tensor():
    a, w = leaf(), torch.tensor(0.25, dtype=torch.float64, requires_grad=True)
    of_a, of_w = gradient(lambda a, w: torch.lerp(a, 2 * A, w), a, w)
    assert_close(of_w, (2 * A - A).sum())
    assert_close(of_a, torch.full_like(A, 0.75))
    with pytest.raises(TypeError, match="alpha"):
        torch.add(a, a, alpha=w)
    with pytest.raises(TypeError, match="value"):
        torch.addcmul(a, a, a, value=w)
    with pytest.raises(TypeError, match="fill_value"):
        torch.full((2,), w)
    assert torch.add(a, a, alpha=w.detach()).shape == A.shape


LAYOUTS = {
    "transposed": lambda t: t.t(),
    "stepped": lambda t: t[:, ::2],
    "expanded": lambda t: t[:1].expand(3, 3),
    "narrowed": lambda t: t.narrow(1, 1, 2),
    "diagonal": lambda t: t.diagonal(),
    "permuted": lambda t: t.unsqueeze(0).permute(2, 0, 1),
}


@pytest.mark.parametrize("name", ["exp", "cumsum", "softmax", "sort", "std", "logsumexp", "prod"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_strided_operands(name, layout):
    def function(t):
        if name in ("cumsum", "softmax", "logsumexp"):
            return getattr(t, name)(0) * 2
        return t.sort(0).values.cumsum(0) if name == "sort" else getattr(t, name)()

    view = LAYOUTS[layout]
    (got,) = gradient(lambda a: function(view(a)), leaf())
    (want,) = gradient(lambda a: function(view(a).contiguous()), leaf())
    assert_close(got, want)


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "expanded"])
def test_a_view_that_is_written_passes_its_gradient_to_the_base(layout):
    def written(a):
        base = a * 1
        LAYOUTS[layout](base).mul_(3).exp_()
        return base * A

    def apart(a):
        mask = torch.zeros_like(A, dtype=torch.bool)
        LAYOUTS[layout](mask).fill_(True)
        return torch.where(mask, (3 * a).exp(), a) * A

    assert_close(*gradient(written, leaf()), *gradient(apart, leaf()))


@pytest.mark.parametrize("call", [
    lambda a, out: torch.add(a, a, out=out),
    lambda a, out: torch.matmul(a, a, out=out),
    lambda a, out: torch.linalg.inv(a, out=out),
    lambda a, out: torch.linalg.matrix_power(a, 3, out=out),
    lambda a, out: torch.chain_matmul(a, a, out=out),
    lambda a, out: torch.linalg.det(a, out=out),
    lambda a, out: torch.linalg.svdvals(a, out=out),
    lambda a, out: torch.cat((a, a), out=out),
    lambda a, out: torch.diff(a, out=out),
])  # fmt: skip
def test_out_is_refused_and_nothing_is_written(call):
    out = torch.full((3, 3), 7.0, dtype=torch.float64)
    with pytest.raises(RuntimeError, match="functions with out=... arguments don't support automatic differentiation"):
        call(leaf(), out)
    assert (out == 7).all() and not out.requires_grad
    with torch.no_grad():
        call(leaf(), torch.empty(0, dtype=torch.float64))
    target = leaf()
    with pytest.raises(RuntimeError):
        torch.add(A, A, out=target)


def test_weights_of_multinomial_may_ask_for_a_gradient():
    weights = torch.full((4,), 0.25, requires_grad=True)
    drawn = torch.multinomial(weights, 3, True)
    assert drawn.dtype == torch.int64 and not drawn.requires_grad


@pytest.mark.filterwarnings("ignore")
def test_a_mask_of_bytes_is_a_mask():
    a = leaf()
    b = a * 1
    b[torch.tensor([1, 0, 1], dtype=torch.uint8)] = torch.ones(2, 3, dtype=torch.float64)
    (got,) = torch.autograd.grad(b.sum(), a)
    assert_close(got, torch.tensor([[0.0], [1.0], [0.0]], dtype=torch.float64).expand(3, 3))


def test_an_empty_list_of_dimensions_is_not_a_missing_one():
    (got,) = gradient(lambda a: torch.fft.fftn(a, dim=()).real, leaf())
    assert_close(got, torch.ones_like(A))


@pytest.mark.parametrize("n", [None, 2, 5])
@pytest.mark.parametrize("name", ["rfft", "ihfft"])
def test_one_sided_transforms(name, n):
    whole = {"rfft": torch.fft.fft, "ihfft": torch.fft.ifft}[name]
    function = getattr(torch.fft, name)
    count = function(A, n).shape[-1]
    (got,) = gradient(lambda a: function(a, n).abs(), leaf())
    (want,) = gradient(lambda a: whole(a, n)[..., :count].abs(), leaf())
    assert_close(got, want)


@pytest.mark.parametrize("driver", ["gels", "gelsy"])
def test_least_squares_without_singular_values(driver):
    b = A[:, :2]
    found = torch.linalg.lstsq(leaf(A[:, :2]), b, driver=driver)
    assert found.singular_values.numel() == 0
    total = found.solution.sum() + found.residuals.sum() + found.singular_values.sum()
    total.backward()
    square = leaf()
    (torch.linalg.lstsq(square, A).solution.sum() + torch.linalg.lstsq(square, A).residuals.sum()).backward()
    assert square.grad.isfinite().all()


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda a: torch.linalg.ldl_factor_ex(a + a.mT).LD, RuntimeError, "derivative for aten::linalg_ldl_factor_ex is not implemented"),
    (lambda a: torch.ldexp(a, a).bernoulli(0.5), RuntimeError, "derivative for aten::bernoulli is not implemented"),
    (lambda a: torch.geqrf(a).a, NotImplementedError, "the derivative for 'geqrf' is not implemented"),
    (lambda a: torch.unique_consecutive(a), NotImplementedError, "the derivative for 'unique_consecutive' is not implemented"),
    (lambda a: torch.unique(a), NotImplementedError, "the derivative for '_unique2' is not implemented"),
    (lambda a: torch.binomial(a.abs().round(), a.sigmoid()), RuntimeError, "derivative for aten::binomial is not implemented"),
])  # fmt: skip
def test_what_has_no_derivative_says_so(call, error, words):
    with pytest.raises(error, match=words):
        call(leaf()).sum().backward()
