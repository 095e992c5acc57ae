"""Decompositions that begin with random numbers, by what must hold of any: products, residuals, orthogonality."""

import pytest
import torch

F32, F64, C64, C128 = torch.float32, torch.float64, torch.complex64, torch.complex128
near = {F32: 2e-4, F64: 1e-10, C64: 2e-4, C128: 1e-10}


def low_rank(m, n, rank, dtype, *batch):
    torch.manual_seed(1)
    return torch.randn(*batch, m, rank, dtype=dtype) @ torch.randn(*batch, rank, n, dtype=dtype)


def spd(m, dtype, *batch):
    """Symmetric matrices with the eigenvalues 1, 2, … m."""
    torch.manual_seed(2)
    q = torch.linalg.qr(torch.randn(*batch, m, m, dtype=dtype)).Q
    return q @ torch.diag(torch.arange(1, m + 1).to(dtype)) @ q.mH


def is_orthonormal(x, tolerance):
    eye = torch.eye(x.shape[-1], dtype=x.dtype)
    return bool(((x.mH @ x - eye).abs() < tolerance).all())


# ---- singular values ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", [F32, F64, C64, C128])
@pytest.mark.parametrize("shape", [(9, 7), (7, 9), (6, 40), (40, 6), (5, 5)])
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_svd_lowrank_gives_back_a_matrix_of_low_rank(dtype, shape, batch):
    a = low_rank(*shape, 3, dtype, *batch)
    for q in (3, 5):
        u, s, v = torch.svd_lowrank(a, q)
        assert u.shape == (*batch, shape[0], q) and s.shape == (*batch, q) and v.shape == (*batch, shape[1], q)
        assert s.dtype == a.abs().dtype and u.dtype == v.dtype == dtype
        tolerance = near[dtype] * 50
        assert torch.allclose((u * s.unsqueeze(-2)) @ v.mH, a, rtol=0, atol=tolerance)
        assert torch.allclose(s[..., :3], torch.linalg.svdvals(a)[..., :3], rtol=tolerance, atol=tolerance)
        assert is_orthonormal(u, tolerance) and is_orthonormal(v, tolerance)


def test_svd_lowrank_subtracts_the_mean():
    a = low_rank(12, 5, 2, F64, 2)
    for mean in (a.mean(-2, keepdim=True), torch.ones(2, 12, 5, dtype=F64), torch.full((5,), 2.0, dtype=F64)):
        u, s, v = torch.svd_lowrank(a, 4, M=mean)
        assert torch.allclose((u * s.unsqueeze(-2)) @ v.mH, a - mean, rtol=0, atol=1e-9)
        u, s, v = torch.svd_lowrank(a.mT, 4, M=mean.expand(a.shape).mT)
        assert torch.allclose((u * s.unsqueeze(-2)) @ v.mH, (a - mean).mT, rtol=0, atol=1e-9)


def test_svd_lowrank_is_as_good_as_its_rounds_of_multiplication():
    torch.manual_seed(3)
    q = torch.linalg.qr(torch.randn(60, 60, dtype=F64)).Q
    a = q @ torch.diag(0.8 ** torch.arange(60.0, dtype=F64)) @ q.mT
    best = torch.linalg.svdvals(a)[8]

    def error(niter):
        torch.manual_seed(4)
        u, s, v = torch.svd_lowrank(a, 8, niter)
        return torch.linalg.matrix_norm(a - (u * s) @ v.mT, 2)

    assert best * 0.999 < error(8) < best * 1.01 and error(2) < best * 1.5 and error(8) < error(0)


def test_svd_lowrank_repeats_with_the_seed():
    a = low_rank(8, 6, 4, F32)
    first, other = (torch.manual_seed(7) and torch.svd_lowrank(a, 2) for _ in range(2))
    assert all(torch.equal(x, y) for x, y in zip(first, other))
    assert [tuple(t.shape) for t in torch.svd_lowrank(a)] == [(8, 6), (6,), (6, 6)]  # of six columns at most
    assert [tuple(t.shape) for t in torch.svd_lowrank(a, 0)] == [(8, 0), (0,), (6, 0)]
    assert [tuple(t.shape) for t in torch.svd_lowrank(a[:0], 0)] == [(0, 0), (0,), (6, 0)]


@pytest.mark.parametrize("dtype", [F32, F64])
def test_pca_lowrank_finds_the_directions_of_the_samples(dtype):
    samples = low_rank(50, 4, 2, dtype) + torch.tensor([1, -2, 3, 100.0], dtype=dtype)
    u, s, v = torch.pca_lowrank(samples)
    assert u.shape == (50, 4) and s.shape == (4,) and v.shape == (4, 4)
    centered = samples - samples.mean(0)
    assert torch.allclose((u * s) @ v.mT, centered, rtol=0, atol=near[dtype] * 100)
    variances = torch.linalg.eigvalsh(centered.mT @ centered / 49).flip(0)
    assert torch.allclose(s**2 / 49, variances, rtol=1e-2, atol=near[dtype] * 100)
    u, s, v = torch.pca_lowrank(samples, q=3, center=False)
    assert torch.allclose((u * s) @ v.mT, samples, rtol=0, atol=near[dtype] * 1000)


def test_mistakes_of_pca_lowrank():
    a = torch.ones(8, 5)
    for q in (-1, 6):
        with pytest.raises(ValueError, match=r"q\(=.*must be non-negative integer and not greater than min\(m, n\)=5"):
            torch.pca_lowrank(a, q)
    with pytest.raises(ValueError, match=r"niter\(=-1\) must be non-negative integer"):
        torch.pca_lowrank(a, 2, niter=-1)
    with pytest.raises(ValueError, match="unpack"):
        torch.pca_lowrank(a[0])
    for wrong in (a.long(), a.half()):
        with pytest.raises(RuntimeError):
            torch.pca_lowrank(wrong, 2)
        with pytest.raises(RuntimeError):
            torch.svd_lowrank(wrong, 2)


# ---- eigenvalues -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", [F32, F64])
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("method", ["ortho", "basic"])
def test_lobpcg_finds_the_ends_of_the_spectrum(dtype, largest, method):
    a = spd(60, dtype)
    torch.manual_seed(5)
    e, x = torch.lobpcg(a, 3, largest=largest, method=method, niter=400)
    assert e.shape == (3,) and x.shape == (60, 3) and e.dtype == x.dtype == dtype
    want = [60, 59, 58] if largest else [1, 2, 3]
    assert torch.allclose(e, torch.tensor(want, dtype=dtype), rtol=1e-3)
    assert torch.linalg.matrix_norm(a @ x - x * e) < 2e-1
    assert is_orthonormal(x, 1e-3)


@pytest.mark.parametrize("largest", [True, False])
def test_lobpcg_of_two_matrices(largest):
    a, b = spd(40, F64), spd(40, F64).roll(7, 0).roll(7, 1) + torch.eye(40, dtype=F64)
    torch.manual_seed(6)
    e, x = torch.lobpcg(a, 2, B=b, largest=largest)
    half = torch.linalg.inv(torch.linalg.cholesky(b))
    want = torch.linalg.eigvalsh(half @ a @ half.mT)
    want = want.flip(0) if largest else want
    assert torch.allclose(e, want[:2], rtol=1e-6)
    assert torch.allclose(a @ x, b @ x * e, rtol=0, atol=1e-4)
    assert torch.allclose(x.mT @ b @ x, torch.eye(2, dtype=F64), rtol=0, atol=1e-8)


def test_lobpcg_of_a_batch():
    a = torch.stack((spd(30, F64), spd(30, F64) * 2, spd(30, F64) + torch.eye(30, dtype=F64) * 5)).unsqueeze(1)
    e, x = torch.lobpcg(a, 2)
    assert e.shape == (3, 1, 2) and x.shape == (3, 1, 30, 2)
    want = torch.tensor([[[30, 29]], [[60, 58]], [[35, 34]]], dtype=F64)
    assert torch.allclose(e, want) and torch.allclose(a @ x, x * e.unsqueeze(-2), rtol=0, atol=1e-4)


def test_lobpcg_begins_with_what_it_is_given():
    a = spd(20, F64)
    vectors = torch.linalg.eigh(a).eigenvectors
    steps = []
    e, x = torch.lobpcg(a, X=vectors[:, -2:].flip(1), tracker=lambda state: steps.append(state.ivars["istep"]))
    assert torch.allclose(e, torch.tensor([20, 19], dtype=F64)) and len(steps) <= 2
    e, _ = torch.lobpcg(a, k=1, X=vectors[:, -3:])
    assert e.shape == (1,) and torch.allclose(e, torch.tensor([20.0], dtype=F64))
    assert torch.lobpcg(a)[0].shape == (1,) and torch.lobpcg(a, 2, n=4)[0].shape == (2,)
    assert torch.lobpcg(a, X=torch.ones(20, 1, dtype=F64))[0].shape == (1,)


@pytest.mark.skipif(not hasattr(torch._C, "_storage_filename"), reason="PyTorch takes as many steps with it")
def test_a_preconditioner_saves_steps():
    torch.manual_seed(8)
    a = torch.diag(torch.arange(1, 301).to(F64) ** 2) + 0.01 * spd(300, F64)

    def steps(**how):
        torch.manual_seed(9)
        count = []
        e, _ = torch.lobpcg(a, 2, largest=False, tol=1e-9, tracker=lambda state: count.append(1), **how)
        assert torch.allclose(e, torch.linalg.eigvalsh(a)[:2], rtol=1e-5)
        return len(count)

    assert steps(iK=torch.linalg.inv(a)) < steps() / 2


def test_a_tracker_sees_and_stops_the_iteration():
    a = spd(40, F64)
    seen = []

    def tracker(state):
        assert state.A is a and state.B is None and state.iK is None
        assert state.X.shape == state.R.shape == (40, 2) and state.E.shape == state.tvars["rerr"].shape == (2,)
        assert state.S.shape[0] == 40 and 2 < state.S.shape[1] <= 6
        assert state.iparams["m"] == 40 and state.iparams["n"] == state.iparams["k"] == 2
        assert state.fparams["tol"] == 1e-12 and state.bparams["largest"] is True
        seen.append((state.ivars["istep"], state.ivars["iterations_left"], float(state.tvars["rerr"].max())))
        state.bvars["force_stop"] = len(seen) == 5

    torch.lobpcg(a, 2, niter=50, tol=1e-12, tracker=tracker)
    assert [(step, left) for step, left, _ in seen] == [(i, 50 - i) for i in range(1, 6)]
    assert seen[4][2] < seen[0][2]
    seen.clear()
    torch.lobpcg(a, 2, niter=3, tol=1e-12, tracker=tracker)
    assert len(seen) == 3


def test_matrices_with_nothing_to_find():
    for a in (torch.zeros(9, 9), torch.eye(9), -torch.eye(9)):
        e, x = torch.lobpcg(a, 2)
        assert torch.allclose(e, a.diagonal()[:2], atol=1e-5) and is_orthonormal(x, 1e-4)


def test_mistakes_of_lobpcg():
    a = torch.eye(8)
    with pytest.raises(ValueError, match=r"rows \(=8\) is smaller than 3 x the number of requested eigenpairs \(=3\)"):
        torch.lobpcg(a, 3)
    with pytest.raises(AssertionError, match="A must be square"):
        torch.lobpcg(a[:5])
    with pytest.raises(AssertionError, match="A and B must have same shape"):
        torch.lobpcg(a, B=torch.eye(7))
    with pytest.raises(IndexError):
        torch.lobpcg(a[0])
    for wrong in (a.long(), a.to(C64), a * float("nan")):
        with pytest.raises(RuntimeError):
            torch.lobpcg(wrong)
