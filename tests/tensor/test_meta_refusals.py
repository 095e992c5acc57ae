"""Meetings of meta tensors and others that PyTorch 2.13 lets through, with a result of whatever was in memory."""

import pytest
import torch

X, M = torch.empty(3, device="meta"), torch.empty(3, 3, device="meta")

MEETINGS = [
    lambda y, m: y.add_(X),
    lambda y, m: X.add_(y),
    lambda y, m: torch.mm(M, m),
    lambda y, m: torch.mm(m, M),
    lambda y, m: m @ X,
    lambda y, m: y[X.long()],
    lambda y, m: y.index_select(0, X.long()),
    lambda y, m: torch.bucketize(X, y),
    lambda y, m: torch.linalg.solve(m, M),
    lambda y, m: y.masked_scatter_(X > 0, y),
]


@pytest.mark.parametrize("call", MEETINGS)
def test_tensors_of_two_devices_do_not_meet(call):
    y, m = torch.ones(3), torch.eye(3)
    with pytest.raises((RuntimeError, IndexError)):
        call(y, m)
    assert y.tolist() == [1, 1, 1] and m.sum() == 3


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.add(x, x, alpha=1e9),
        lambda x: x.addcmul_(x, x, value=1e9),
        lambda x: x.index_add(0, torch.zeros(3, dtype=torch.long, device=x.device), x, alpha=1e9),
        lambda x: torch.where(x == x, 1e9, x),
    ],
)
def test_no_number_is_judged(call):
    """On the CPU complex32 refuses it."""
    x = torch.empty(3, dtype=torch.complex32, device="meta")
    result = call(x)
    assert result.dtype == torch.complex32 and result.shape == (3,)
    with pytest.raises(RuntimeError, match="overflow"):
        call(torch.ones(3, dtype=torch.complex32))
