"""Matrices that are not finite, and pivots that no factorisation gives: PyTorch crashes at some of them."""

import pytest
import torch

NAN = torch.full((3, 3), float("nan"))
INFINITE = torch.eye(3) * float("inf")
NOT_FINITE = [NAN, INFINITE, torch.full((2, 70, 70), float("nan")), NAN.cfloat(), INFINITE.cdouble()]
CALLS = """
    cholesky cholesky_ex cond det eig eigh eigvals eigvalsh inv inv_ex ldl_factor ldl_factor_ex lu lu_factor_ex
    matrix_exp matrix_rank pinv qr slogdet svd svdvals
""".split()


@pytest.mark.parametrize("a", NOT_FINITE)
@pytest.mark.parametrize("call", CALLS)
def test_what_is_not_finite_ends(a, call):
    """In NaN, or in an error; never in a hang or a crash, and never in a finite answer where there is none."""
    try:
        result = getattr(torch.linalg, call)(a)
    except RuntimeError as error:
        assert str(error)
        return
    results = [result] if isinstance(result, torch.Tensor) else result
    if not call.endswith("_ex"):
        assert not all(r.isfinite().all() for r in results)


@pytest.mark.parametrize("driver", ["gels", "gelsy", "gelsd", "gelss"])
@pytest.mark.parametrize("a", NOT_FINITE)
def test_least_squares_of_what_is_not_finite(a, driver):
    for x, y in ((a, torch.ones_like(a)), (torch.ones_like(a) + torch.eye(a.size(-1)), a)):
        with pytest.raises(RuntimeError, match="finite"):
            torch.linalg.lstsq(x, y.to(x.dtype), driver=driver)


def test_pivots_that_no_factorisation_gives():
    a, b = torch.eye(3), torch.ones(3, 1)
    for pivots in ([0, 1, 2], [4, 1, 1], [1, 1, -1], [-1, -2, 1], [-(2**31), 1, 1], [1, 2**31 - 1, 3]):
        with pytest.raises(RuntimeError, match="pivots"):
            torch.linalg.ldl_solve(a, torch.tensor(pivots, dtype=torch.int32), b)
        if min(pivots) < 1 or max(pivots) > 3:
            with pytest.raises(RuntimeError, match="pivots"):
                torch.linalg.lu_solve(a, torch.tensor(pivots, dtype=torch.int32), b)
    with pytest.raises(RuntimeError):
        torch.linalg.ldl_solve(a, torch.tensor([2**40, 1, 1]), b)


@pytest.mark.parametrize("mode", ["reduced", "complete"])
@pytest.mark.parametrize("size", [(4, 4), (2, 5), (7, 3), (8, 8), (1, 1), (9, 9), (3, 20)])
@pytest.mark.parametrize("dtype", [torch.float, torch.double, torch.cfloat, torch.cdouble])
@pytest.mark.parametrize("power", [0, 0.5, 0.98, -0.5, -0.98])
def test_qr_of_the_largest_and_the_smallest_numbers(size, dtype, mode, power):
    """Their squares are infinite, or nothing."""
    generator = torch.Generator().manual_seed(size[0] * 10 + size[1])
    scale = torch.finfo(dtype).max ** power / 16
    a = torch.randn(3, *size, dtype=dtype, generator=generator)
    a[1, :, 0] = 0
    a[2, :, -1] = a[2, :, 0]
    q, r = torch.linalg.qr(a * scale, mode=mode)
    bound = 30 * torch.finfo(dtype).eps
    if power < -0.9:
        bound *= 1000  # the smallest elements are subnormal
    identity = torch.eye(q.size(-1), dtype=dtype).expand(3, -1, -1)
    assert ((q.mH @ q - identity).abs() <= bound).all()
    assert ((q.cdouble() @ (r.cdouble() / scale) - a).abs() <= bound).all()
    assert (r == r.triu()).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64, torch.complex128])
def test_a_bad_matrix_does_not_spoil_the_others_of_its_batch(dtype, capfd):
    """LAPACK complains on standard error if it is given too little room."""
    a = torch.ones(9, 2, 2, dtype=dtype)
    a[0] = float("nan")
    with pytest.raises(RuntimeError, match="non-finite"):
        torch.linalg.svd(a)
    assert capfd.readouterr() == ("", "")
