"""Linear algebra under torch 1.0's names, which PyTorch has removed: what defines each result, and the warnings."""

import warnings

import pytest
import torch
from test_linalg import assert_close, random, square

pytestmark = pytest.mark.filterwarnings("ignore:torch.* is deprecated in favour")
DTYPES = [torch.float32, torch.float64, torch.complex64, torch.complex128]
every_dtype = pytest.mark.parametrize("dtype", DTYPES)


def positive(n, dtype, batch=()):
    a = random([*batch, n, n], dtype, 7)
    return a @ a.mH + torch.eye(n, dtype=dtype)


@every_dtype
@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("batch", [(), (3,), (0,)])
def test_cholesky(dtype, upper, batch):
    a, b = positive(5, dtype, batch), random([*batch, 5, 2], dtype, 1)
    u = torch.potrf(a, upper)
    assert torch.equal(u, u.triu() if upper else u.tril())
    assert_close(u.mH @ u if upper else u @ u.mH, a)
    assert_close(a @ torch.potrs(b, u, upper), b, 10)
    assert_close(a @ torch.potri(u, upper), torch.eye(5, dtype=dtype).expand(a.shape), 10)


def test_upper_is_the_default():
    a = positive(4, torch.float64)
    assert_close(a.potrf().t() @ a.potrf(), a)
    assert_close(a @ a.potrf().potri(), torch.eye(4))
    assert_close(a @ torch.ones(4, 1, dtype=a.dtype).potrs(a.potrf()), torch.ones(4, 1))


@every_dtype
@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("rank", [0, 1, 3, 6])
def test_pivoted_cholesky(dtype, upper, rank):
    x = random([6, rank], dtype, 3)
    a = x @ x.mH
    u, pivot = torch.pstrf(a, upper)
    assert pivot.dtype == torch.int32 and sorted(pivot.tolist()) == list(range(6))
    assert torch.equal(u, u.triu() if upper else u.tril())
    p = pivot.long()
    assert_close(u.mH @ u if upper else u @ u.mH, a[p][:, p])


def test_pivoted_cholesky_as_documented():
    a = torch.tensor([[5.4417, -2.5280, 1.3643], [-2.5280, 2.9689, -2.1368], [1.3643, -2.1368, 4.6116]])
    u, pivot = torch.pstrf(a)
    assert pivot.tolist() == [0, 2, 1]
    assert_close(u, [[2.3328, 0.5848, -1.0837], [0, 2.0663, -0.7274], [0, 0, 1.1249]], 5)
    assert torch.pstrf(torch.diag(torch.tensor([1.0, 1e-3])), tol=0.1).u.tolist() == [[1, 0], [0, 0]]


@every_dtype
@pytest.mark.parametrize("batch", [(), (3,), (2, 2), (0,)])
def test_equations(dtype, batch):
    a, b = square(5, batch, dtype, 1), random([*batch, 5, 3], dtype, 2)
    x, lu = torch.gesv(b, a)
    assert_close(a @ x, b)
    assert_close(lu, torch.linalg.lu_factor(a).LU)
    assert_close(b.gesv(a)[0], x)
    for upper in (True, False):
        t = a.triu() if upper else a.tril()
        x, copy = torch.trtrs(b, a, upper=upper)
        assert_close(t @ x, b)
        assert_close(copy, a)
        assert_close(t.mT @ b.trtrs(a, upper, transpose=True)[0], b)
        ones = t - torch.diag_embed(t.diagonal(0, -2, -1)) + torch.eye(5, dtype=dtype)
        assert_close(ones @ torch.trtrs(b, a, upper, unitriangular=True)[0], b, 100)


@every_dtype
@pytest.mark.parametrize("m, n", [(7, 4), (4, 4), (3, 6)])
def test_least_squares(dtype, m, n):
    a, b = random([m, n], dtype, 1), random([m, 2], dtype, 2)
    x, qr = torch.gels(b, a)
    assert x.shape == (max(m, n), 2) and qr.shape == (m, n)
    assert_close(a.mH @ (a @ x[:n]), a.mH @ b, 10)
    rest = (a @ x[:n] - b).abs().square().sum(0)
    assert_close(x[n:].abs().square().sum(0), rest) if m > n else assert_close(rest, torch.zeros(2))
    assert_close(b.gels(a)[0], x)


@every_dtype
def test_batches_of_factors(dtype):
    a, b = square(4, (3,), dtype, 1), random([3, 4], dtype, 2)
    lu, pivots = torch.btrifact(a)
    p, lower, upper = torch.btriunpack(lu, pivots)
    assert_close(p @ lower @ upper, a)
    x = torch.btrisolve(b, lu, pivots)
    assert_close((a @ x.unsqueeze(-1)).squeeze(-1), b)
    assert_close(a @ b.unsqueeze(-1).btrisolve(lu, pivots), b.unsqueeze(-1))
    a[1] = 0
    assert a.btrifact_with_info()[2].tolist() == [0, 1, 0]
    info = torch.empty(0, dtype=torch.int32)
    torch.btrifact(a, info)
    assert info.tolist() == [0, 1, 0]
    with pytest.raises(RuntimeError, match="is zero"):
        a.btrifact()


OLD = "btrifact btrifact_with_info btrisolve btriunpack gels gesv potrf potri potrs pstrf trtrs".split()


@pytest.mark.parametrize("name", OLD)
def test_names_warn(name):
    one = torch.ones(1, 1)
    more = {"btrisolve": 2, "btriunpack": 1, "gels": 1, "gesv": 1, "potrs": 1, "trtrs": 1}.get(name, 0)
    arguments = [one, torch.ones(1, dtype=torch.int32)][-more:] if name.startswith("btr") else [one]
    if name == "btrisolve":
        arguments = [one, torch.ones(1, dtype=torch.int32)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(torch, name)(one, *arguments[: more or 0])
    assert [str(w.message).split(" and is")[0].partition(" is ")[0] for w in caught] == [f"torch.{name}"]
    assert hasattr(torch.Tensor, name) == (name != "btriunpack")


@pytest.mark.parametrize(
    "call",
    [
        lambda: torch.gesv(torch.ones(2, 1), torch.zeros(2, 2)),
        lambda: torch.gesv(torch.ones(2, 1), torch.ones(2, 3)),
        lambda: torch.gesv(torch.ones(2, 1), torch.ones(2, 2).double()),
        lambda: torch.gesv(torch.ones(2), torch.ones(2, 2)),
        lambda: torch.gels(torch.ones(3, 1), torch.ones(2, 2)),
        lambda: torch.gels(torch.ones(2, 1), torch.tensor([[1.0, 0], [0, 0]])),
        lambda: torch.gels(torch.ones(2, 2, 1), torch.ones(2, 2, 2)),
        lambda: torch.potrf(-torch.eye(2)),
        lambda: torch.potrf(torch.ones(2, 2).long()),
        lambda: torch.potrs(torch.ones(3, 1), torch.ones(2, 2)),
        lambda: torch.potri(torch.ones(2, 3)),
        lambda: torch.pstrf(torch.ones(2, 3)),
        lambda: torch.pstrf(torch.ones(2, 2, 2)),
        lambda: torch.trtrs(torch.ones(3, 1), torch.ones(2, 2)),
        lambda: torch.btrisolve(torch.ones(1, 2), torch.ones(1, 2, 2), torch.full((1, 2), 7, dtype=torch.int32)),
    ],
)
def test_mistakes(call):
    with pytest.raises((RuntimeError, NotImplementedError)):
        call()


def test_matrices_that_hold_nothing():
    empty = torch.empty(0, 0)
    assert torch.potrf(empty).shape == torch.potri(empty).shape == (0, 0)
    assert torch.pstrf(empty)[1].shape == (0,)
    assert torch.gesv(torch.empty(0, 3), empty)[0].shape == (0, 3)
    assert torch.gels(torch.empty(0, 3), torch.empty(0, 2))[0].tolist() == [[0] * 3] * 2
