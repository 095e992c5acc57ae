"""Linear algebra of random matrices, batches and layouts: what defines each result, and NumPy's answer."""

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

TOLERANCE = {torch.float32: 2e-4, torch.float64: 1e-11, torch.complex64: 2e-4, torch.complex128: 1e-11}

sizes = st.integers(1, 40)
batches = st.lists(st.integers(0, 3), max_size=2)
reals = st.sampled_from([torch.float32, torch.float64])
dtypes = st.sampled_from(list(TOLERANCE))
seeds = st.integers(0, 2**32)
layouts = st.sampled_from(["contiguous", "transposed", "steps", "expanded"])


def random(shape, dtype, seed, layout="contiguous"):
    generator = np.random.default_rng(seed)
    values = generator.uniform(-1, 1, shape)
    if dtype.is_complex:
        values = values + 1j * generator.uniform(-1, 1, shape)
    values = torch.from_numpy(np.asarray(values)).to(dtype)
    if layout == "transposed":
        return values.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "steps":
        return torch.from_numpy(np.repeat(values.numpy(), 2, -1))[..., ::2]
    if layout == "expanded" and len(shape) > 2 and shape[0] > 0:
        return values[:1].expand(shape)
    return values


def precise(a):
    """The same numbers for NumPy, in its widest dtype."""
    return np.asarray(a.to(torch.complex128 if a.is_complex() else torch.float64))


def square(n, batch, dtype, seed, layout="contiguous"):
    """Matrices with a small condition number."""
    return random([*batch, n, n], dtype, seed, layout) + 2 * n**0.5 * torch.eye(n, dtype=dtype)


def assert_close(got, want, scale=1.0):
    want = torch.as_tensor(want).to(got.dtype)
    assert got.shape == want.shape
    if got.numel():
        error, size = (got - want).abs().max().item(), max(1.0, want.abs().max().item())
        assert error <= TOLERANCE[got.dtype] * scale * size


@given(sizes, batches, dtypes, seeds, layouts)
def test_inverse_and_determinant(n, batch, dtype, seed, layout):
    a = square(n, batch, dtype, seed, layout)
    one = torch.eye(n, dtype=dtype).expand(a.shape)
    assert_close(a @ torch.linalg.inv(a), one)
    sign, logarithm = torch.linalg.slogdet(a)
    wanted_sign, wanted = np.linalg.slogdet(precise(a))
    assert_close(sign, wanted_sign)
    assert_close(logarithm, wanted)
    if n < 8:
        assert_close(torch.linalg.det(a), np.linalg.det(precise(a)))


@given(sizes, sizes, batches, dtypes, seeds, layouts, st.booleans())
def test_solve(n, k, batch, dtype, seed, layout, left):
    a = square(n, batch, dtype, seed, layout)
    b = random([*batch, n, k] if left else [*batch, k, n], dtype, seed + 1, layout)
    x = torch.linalg.solve(a, b, left=left)
    assert_close(a @ x if left else x @ a, b)
    lu, pivots = torch.linalg.lu_factor(a)
    assert_close(torch.linalg.lu_solve(lu, pivots, b, left=left), x)
    x = torch.linalg.lu_solve(lu, pivots, b, left=left, adjoint=True)
    assert_close(a.mH @ x if left else x @ a.mH, b)


@given(sizes, sizes, batches, dtypes, seeds, layouts)
def test_factorisations(m, n, batch, dtype, seed, layout):
    a = random([*batch, m, n], dtype, seed, layout)
    k = min(m, n)
    q, r = torch.linalg.qr(a)
    assert_close(q @ r, a)
    assert_close(q.mH @ q, torch.eye(k, dtype=dtype).expand([*batch, k, k]))
    p, lower, upper = torch.linalg.lu(a)
    assert_close(p @ lower @ upper, a)
    u, s, vh = torch.linalg.svd(a, full_matrices=False)
    assert_close((u * s.unsqueeze(-2)) @ vh, a)
    assert_close(s, np.linalg.svd(precise(a), compute_uv=False))
    assert_close(torch.linalg.svdvals(a), s)
    pseudo = torch.linalg.pinv(a)
    assert_close(a @ pseudo @ a, a, 10)


@given(sizes, batches, dtypes, seeds, st.booleans())
def test_symmetric(n, batch, dtype, seed, upper):
    a = random([*batch, n, n], dtype, seed)
    a = a + a.mH
    w, v = torch.linalg.eigh(a, UPLO="U" if upper else "L")
    assert_close((v * w.unsqueeze(-2)) @ v.mH, a)
    assert_close(w, np.linalg.eigvalsh(precise(a)))
    positive = a @ a + torch.eye(n, dtype=dtype)
    factor = torch.linalg.cholesky(positive, upper=upper)
    t = factor.mH
    assert_close(t @ factor if upper else factor @ t, positive)
    assert_close(torch.cholesky_inverse(factor, upper) @ positive, torch.eye(n, dtype=dtype).expand(a.shape), 50)


@given(sizes, batches, dtypes, seeds)
def test_general_eigenvectors(n, batch, dtype, seed):
    a = random([*batch, n, n], dtype, seed)
    w, v = torch.linalg.eig(a)
    assert_close(a.to(v.dtype) @ v, v * w.unsqueeze(-2), 10)
    assert_close(torch.linalg.eigvals(a).sum(-1), a.diagonal(0, -2, -1).sum(-1), 10)


@given(sizes, sizes, batches, dtypes, seeds, st.booleans())
def test_indefinite(n, k, batch, dtype, seed, hermitian):
    a, b = square(n, batch, dtype, seed), random([*batch, n, k], dtype, seed + 1)
    a = a + (a.mH if hermitian else a.mT)
    factors, pivots = torch.linalg.ldl_factor(a, hermitian=hermitian)
    assert_close(a @ torch.linalg.ldl_solve(factors, pivots, b, hermitian=hermitian), b, 10)


@given(sizes, sizes, batches, dtypes, seeds, layouts, st.booleans(), st.booleans())
def test_triangular(n, k, batch, dtype, seed, layout, upper, left):
    a = square(n, batch, dtype, seed, layout)
    b = random([*batch, n, k] if left else [*batch, k, n], dtype, seed + 1, layout)
    x = torch.linalg.solve_triangular(a, b, upper=upper, left=left)
    t = a.triu() if upper else a.tril()
    assert_close(t @ x if left else x @ t, b, 10)
    if left:
        assert_close(t.mT @ torch.triangular_solve(b, a, upper, True).solution, b, 10)


@given(st.integers(0, 12), st.integers(0, 12), batches, dtypes, seeds)
def test_norms(m, n, batch, dtype, seed):
    a = random([*batch, m, n], dtype, seed)
    s = torch.linalg.svdvals(a)
    size = precise(a.abs())
    assert_close(torch.linalg.matrix_norm(a), np.sqrt((size**2).sum((-2, -1))))
    assert_close(torch.linalg.matrix_norm(a, "nuc"), s.sum(-1))
    assert_close(torch.linalg.vector_norm(a, 3, (-2, -1)), (size**3).sum((-2, -1)) ** (1 / 3))
    if m and n:
        assert_close(torch.linalg.matrix_norm(a, 2), s.amax(-1))
        assert_close(torch.linalg.matrix_norm(a, 1), size.sum(-2).max(-1))
        assert_close(torch.linalg.matrix_norm(a, float("inf")), size.sum(-1).max(-1))


@given(sizes, sizes, sizes, batches, dtypes, seeds, st.sampled_from(["gels", "gelsy", "gelsd", "gelss"]))
def test_least_squares(m, n, k, batch, dtype, seed, driver):
    a, b = random([*batch, m, n], dtype, seed), random([*batch, m, k], dtype, seed + 1)
    a = a + 3 * torch.eye(m, n, dtype=dtype)
    x = torch.linalg.lstsq(a, b, driver=driver).solution
    t = a.mH
    assert_close(t @ (a @ x), t @ b, 20)  # the normal equations


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 40), reals, seeds, st.sampled_from([0, 1, 2, 3, np.inf]))
def test_distances(m, n, k, dtype, seed, p):
    a, b = random([m, k], dtype, seed), random([n, k], dtype, seed + 1)
    difference = np.abs(precise(a)[:, None] - precise(b)[None])
    if p == np.inf:
        want = difference.max(-1, initial=0)
    else:
        want = (difference > 0).sum(-1) if p == 0 else (difference**p).sum(-1) ** (1 / p)
    assert_close(torch.cdist(a, b, p=float(p)), want)


EQUATIONS = [
    "ab,bc->ac",
    "ab,bc",
    "ab,cb->ca",
    "ab,ab->",
    "ab,ab->ab",
    "ab,c->cab",
    "aab->b",
    "abc->cba",
    "aba->ab",
    "a,ab,b->",
    "ab,bc,cd->ad",
    "ab,bc,cd->bd",
    "...a,...a->...",
    "...ab,...bc->...ac",
    "a...,b...->ab...",
    "abc,abd->bcd",
    "ab,ab,ab->a",
    "abc,cd,d->ab",
    "aa,bb->ab",
    "a...->...",
]


@given(
    st.sampled_from(EQUATIONS), st.fixed_dictionaries({c: st.integers(1, 4) for c in "abcd"}), st.integers(0, 2), seeds
)
def test_einsum(equation, size, extra, seed):
    inputs = equation.split("->")[0].split(",")
    shapes = [[size[c] for c in part.replace("...", "", 1)] for part in inputs]
    for part, shape in zip(inputs, shapes):
        if "..." in part:
            at = part.index("...")
            shape[at:at] = [2, 3][:extra]
    operands = [random(shape, torch.float64, seed + i) for i, shape in enumerate(shapes)]
    assert_close(torch.einsum(equation, *operands), np.asarray(np.einsum(equation, *(t.numpy() for t in operands))))


@given(st.lists(st.integers(1, 30), min_size=3, max_size=7), seeds)
def test_multi_dot(sides, seed):
    matrices = [random([m, n], torch.float64, seed + i) for i, (m, n) in enumerate(zip(sides, sides[1:]))]
    want = matrices[0]
    for m in matrices[1:]:
        want = want @ m
    assert_close(torch.linalg.multi_dot(matrices), want)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_same_bits_for_any_number_of_threads(threads):
    a = random([16, 60, 60], torch.float32, 1)
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        want = [torch.linalg.inv(a), torch.linalg.svdvals(a), torch.linalg.qr(a).R, torch.cdist(a, a)]
        torch.set_num_threads(threads)
        got = [torch.linalg.inv(a), torch.linalg.svdvals(a), torch.linalg.qr(a).R, torch.cdist(a, a)]
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(x, y) for x, y in zip(got, want))
