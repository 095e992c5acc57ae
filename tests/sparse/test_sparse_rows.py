"""Rows and columns of sparse tensors, however they are found: by a search, by where rows begin, or by all entries."""

import pytest
import torch


def matrix(rows=40, columns=30, entries=300):
    generator = torch.Generator().manual_seed(0)
    places = torch.stack([torch.randint(n, (entries,), generator=generator) for n in (rows, columns)])
    values = torch.randn(entries, dtype=torch.float64, generator=generator)
    return torch.sparse_coo_tensor(places, values, (rows, columns))


LAYOUTS = {
    "as it came": lambda t: t,
    "coalesced": lambda t: t.coalesce(),
    "csr": lambda t: t.to_sparse_csr(),
    "csc": lambda t: t.to_sparse_csc(),
    "int32": lambda t: torch.sparse_csr_tensor(
        t.to_sparse_csr().crow_indices().int(), t.to_sparse_csr().col_indices().int(), t.coalesce().values(), t.shape
    ),
}
PARTS = {
    "one": lambda t: t[7],
    "one column": lambda t: t.select(1, 3),
    "a slice": lambda t: t[5:20],
    "none": lambda t: t[5:5],
    "columns": lambda t: t[:, 4:9],
    "few": lambda t: t.index_select(0, torch.tensor([9])),
    "many": lambda t: t.index_select(0, torch.tensor([3, 38, 3, 0, 39, 12] * 20)),
    "many columns": lambda t: t.index_select(1, torch.tensor([3, 28, 3, 0, 29, 12])),
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_parts_and_their_gradients(layout, part):
    t = LAYOUTS[layout](matrix()).requires_grad_()
    dense = t.detach().to_dense().requires_grad_()
    found, expected = PARTS[part](t), PARTS[part](dense)
    torch._validate_sparse_tensor(found.detach())
    assert torch.equal(found.to_dense(), expected)
    found.to_dense().square().sum().backward()
    expected.square().sum().backward()
    there = t.detach().to_dense() != 0
    assert torch.allclose(t.grad.to_dense()[there], dense.grad[there])


# As PyTorch has it of sparse tensors, though not of strided ones.
def test_indices_from_the_end():
    for layout in LAYOUTS:
        t = LAYOUTS[layout](matrix())
        found = t.index_select(0, torch.tensor([-1, 2, -40])).to_dense()
        assert torch.equal(found, t.to_dense()[[39, 2, 0]])
        with pytest.raises(IndexError, match="40"):
            t.index_select(0, torch.tensor([40]))


def test_parts_are_copies():
    for layout in LAYOUTS:
        t = LAYOUTS[layout](matrix())
        before = t.to_dense()
        for name in ("one", "a slice", "few"):
            PARTS[name](t)._values().zero_()
        assert torch.equal(t.to_dense(), before), layout


# An array with an element for each row would have no room.
def test_of_more_rows_than_fit():
    n = 10**13
    t = torch.sparse_coo_tensor([[5, 7, n - 1], [0, 2, 1]], [1.0, 2.0, 3.0], (n, 3))
    for a in (t, t.coalesce()):
        found = a.index_select(0, torch.tensor([n - 1, 6, 7])).to_dense()
        assert found.tolist() == [[0, 3, 0], [0, 0, 0], [0, 0, 2]]
        assert a[n - 1].to_dense().tolist() == [0, 3, 0]
        assert a[6:9].to_dense().tolist() == [[0, 0, 0], [0, 0, 2], [0, 0, 0]]
    assert torch.equal(torch.sparse.softmax(t, 1).coalesce().values(), torch.ones(3))


def test_indices_of_32_bits_multiply_alike():
    t = matrix()
    wide, short = LAYOUTS["csr"](t), LAYOUTS["int32"](t)
    for width in (1, 5, 16, 70):
        x = torch.randn(30, width, dtype=torch.float64)
        assert torch.equal(wide @ x, short @ x)
        assert torch.allclose(wide @ x, t.to_dense() @ x)
        start = torch.randn(40, width, dtype=torch.float64)
        assert torch.equal(torch.addmm(start, wide, x, beta=0.5), torch.addmm(start, short, x, beta=0.5))


def test_sums_of_compressed_ones_keep_their_layout():
    for layout in ("csr", "csc"):
        a, b = LAYOUTS[layout](matrix()), LAYOUTS[layout](matrix(entries=200))
        for found, expected in ((a + b, a.to_dense() + b.to_dense()), (a - b, a.to_dense() - b.to_dense())):
            assert found.layout == a.layout
            torch._validate_sparse_tensor(found)
            assert torch.allclose(found.to_dense(), expected)
