"""Batches of compressed matrices: what keeps each matrix whole keeps the layout, all else is as of dense operands."""

import pytest
import torch

LAYOUTS = {
    torch.sparse_csr: lambda t, **kwargs: t.to_sparse_csr(**kwargs),
    torch.sparse_csc: lambda t, **kwargs: t.to_sparse_csc(**kwargs),
    torch.sparse_bsr: lambda t, **kwargs: t.to_sparse_bsr((2, 1), **kwargs),
    torch.sparse_bsc: lambda t, **kwargs: t.to_sparse_bsc((2, 1), **kwargs),
}
TURNED = dict(zip(LAYOUTS, (torch.sparse_csc, torch.sparse_csr, torch.sparse_bsc, torch.sparse_bsr)))
PATTERN = torch.tensor([[0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=torch.float64)


def batch(*size):
    """Matrices (4, 3) with as many entries each, and with as many blocks of two rows."""
    count = 1
    for n in size:
        count *= n
    matrices = [PATTERN.roll(i, 1) * torch.arange(1.0 + i, 13 + i).reshape(4, 3) for i in range(count)]
    return torch.stack(matrices).reshape(*size, 4, 3)


KEPT = {
    "select": lambda x: x[1],
    "select of two": lambda x: x.select(1, 2),
    "slice": lambda x: x[:, 1:],
    "slice by two": lambda x: x[:, ::2],
    "narrow": lambda x: torch.narrow(x, 1, 1, 2),
    "index_select": lambda x: x.index_select(1, torch.tensor([2, 0, 2])),
    "a list": lambda x: x[:, [1, 0]],
    "unsqueeze": lambda x: x.unsqueeze(1),
    "None": lambda x: x[None],
    "expand": lambda x: x.unsqueeze(1).expand(2, 5, -1, -1, 3),
    "permute": lambda x: x.permute(1, 0, 2, 3),
    "transpose": lambda x: x.transpose(0, 1),
    "sin": lambda x: x.sin(),
    "sums": lambda x: x + 2 * x,
    "products": lambda x: x * x,
    "by a strided one": lambda x: x * torch.arange(3.0),
    "in place": lambda x: x.clone().mul_(3).neg_(),
}
TURN = {
    "mT": lambda x: x.mT,
    "transpose": lambda x: x.transpose(-1, -2),
    "permute": lambda x: x.permute(0, 1, 3, 2),
    "permute all": lambda x: x.permute(1, 0, 3, 2),
}
OTHERS = {
    "rows": lambda x: x[:, :, 1],
    "batch and rows": lambda x: x.transpose(1, 2),
    "columns": lambda x: x[..., 1:],
    "sum": lambda x: x.sum(),
    "sum of rows": lambda x: x.sum(-1),
    "sum of matrices": lambda x: x.sum(0),
    "cat": lambda x: torch.cat([x, x], 1),
    "stack": lambda x: torch.stack([x, x]),
    "flatten": lambda x: x.flatten(),
    "bmm": lambda x: torch.bmm(x[0], torch.arange(18.0, dtype=torch.float64).reshape(3, 3, 2)),
    "matmul": lambda x: x[0] @ torch.arange(6.0, dtype=torch.float64).reshape(3, 2),
}


def checked(found, expected):
    if found.layout != torch.strided:
        torch._validate_sparse_tensor(found)
    assert found.shape == expected.shape
    torch.testing.assert_close(found.to_dense(), expected)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", KEPT)
def test_matrices_that_stay_keep_the_layout(name, layout):
    dense = batch(2, 3)
    found = KEPT[name](LAYOUTS[layout](dense))
    assert found.layout == layout
    checked(found, KEPT[name](dense))


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", TURN)
def test_matrices_are_turned(name, layout):
    dense = batch(2, 3)
    found = TURN[name](LAYOUTS[layout](dense))
    assert found.layout == TURNED[layout]
    checked(found, TURN[name](dense))


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", OTHERS)
def test_other_operators_of_batches(name, layout):
    dense = batch(2, 3)
    checked(OTHERS[name](LAYOUTS[layout](dense)), OTHERS[name](dense))


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("to", LAYOUTS, ids=str)
def test_batches_become_one_another(to, layout):
    dense = batch(2)
    found = LAYOUTS[to](LAYOUTS[layout](dense))
    assert found.layout == to
    checked(found, dense)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", [*KEPT, "mT", "batch and rows", "bmm"])
def test_gradients_of_batches(name, layout):
    function = {**OTHERS, **TURN, **KEPT}[name]
    dense = batch(2, 3)

    def through(values):
        return function((values * (dense != 0)).sparse_mask(LAYOUTS[layout](dense))).to_dense(masked_grad=False)

    values = dense.cos().requires_grad_()
    assert torch.autograd.gradcheck(through, (values,), fast_mode=True)
    assert torch.autograd.gradgradcheck(through, (values,), fast_mode=True)


def test_a_matrix_becomes_a_batch():
    x = batch(1)[0].to_sparse_csr()
    for found in (x[None], x.expand(2, -1, -1), x.unsqueeze(0)):
        assert found.layout == torch.sparse_csr
        assert found[0].col_indices().equal(x.col_indices())
        checked(found, x.to_dense().expand(found.shape))


def test_batches_with_dense_dimensions():
    dense = batch(2)[..., None] * torch.tensor([1.0, -2.0], dtype=torch.float64)
    x = dense.to_sparse_csr(dense_dim=1)
    for function in (lambda t: t[1], lambda t: t[:1], lambda t: t[None], lambda t: t.expand(3, -1, -1, -1, -1)):
        found = function(x)
        assert found.layout == torch.sparse_csr
        assert found.dense_dim() == 1
        checked(found, function(dense))
    checked(x.transpose(1, 2), dense.transpose(1, 2))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: x[2], IndexError),
        (lambda x: x.index_select(0, torch.tensor([2])), IndexError),
        (lambda x: torch.narrow(x, 0, 1, 2), RuntimeError),
        (lambda x: x.expand(3, -1, -1), RuntimeError),
        (lambda x: x.permute(0, 0, 1), RuntimeError),
        (lambda x: x.permute(1, 0), RuntimeError),
    ],
)
def test_mistakes_with_batches(call, error):
    x = batch(2).to_sparse_csr()
    with pytest.raises(error):
        call(x)
    checked(x, batch(2))
