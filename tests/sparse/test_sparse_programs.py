"""Programs as they are written with sparse tensors, whose right answers are known."""

import pathlib
import re
import subprocess
import sys

import pytest
import torch
from torch import nn

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the examples lie beside the tests in a checkout alone")
def test_graph_convolution():
    done = subprocess.run(
        [sys.executable, EXAMPLES / "gcn.py", "--epochs", "60"], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert float(re.search(r"([\d.]+)% of the other 2568 are right", done.stdout)[1]) >= 97


class Attention(nn.Module):
    """A graph attention layer: how much an edge counts is learned, by a softmax over the edges of each node."""

    def __init__(self, width, out):
        super().__init__()
        self.linear = nn.Linear(width, out, bias=False)
        self.of_source, self.of_target = nn.Parameter(torch.randn(out) * 0.1), nn.Parameter(torch.randn(out) * 0.1)

    def forward(self, edges, n, x):
        h = self.linear(x)
        score = nn.functional.leaky_relu((h @ self.of_target)[edges[0]] + (h @ self.of_source)[edges[1]], 0.2)
        weight = (score - score.max().detach()).exp()
        attention = torch.sparse_coo_tensor(edges, weight, (n, n))
        total = torch.sparse.sum(attention, 1).to_dense()
        return torch.sparse.mm(attention, h) / total.unsqueeze(1)


def test_graph_attention():
    torch.manual_seed(0)
    n, communities = 150, 3
    community = torch.arange(n) * communities // n
    inside = community.unsqueeze(0) == community.unsqueeze(1)
    joined = torch.rand(n, n) < torch.where(inside, 0.15, 0.01)
    edges = (joined | joined.t() | torch.eye(n, dtype=torch.bool)).nonzero().t()
    x = torch.eye(communities)[community] + torch.randn(n, communities) * 0.8
    known = torch.arange(n) % 5 == 0
    first, second = Attention(communities, 8), Attention(8, communities)
    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.05)
    for _ in range(60):
        optimizer.zero_grad()
        answer = second(edges, n, torch.relu(first(edges, n, x)))
        nn.functional.cross_entropy(answer[known], community[known]).backward()
        optimizer.step()
    assert float((answer.argmax(1) == community)[~known].float().mean()) > 0.9


def test_matrix_factorisation():
    torch.manual_seed(0)
    users, items, rank = 60, 40, 3
    truth = torch.randn(users, rank) @ torch.randn(rank, items)
    seen = (torch.rand(users, items) < 0.5).nonzero()
    order = torch.randperm(len(seen))
    learned, asked = seen[order[100:]], seen[order[:100]]
    left, right = nn.Embedding(users, rank, sparse=True), nn.Embedding(items, rank, sparse=True)
    optimizer = torch.optim.SparseAdam([left.weight, right.weight], lr=0.03)

    def guess(pairs):
        return (left(pairs[:, 0]) * right(pairs[:, 1])).sum(1)

    for _ in range(60):
        for pairs in learned[torch.randperm(len(learned))].split(128):
            optimizer.zero_grad()
            (guess(pairs) - truth[pairs[:, 0], pairs[:, 1]]).square().mean().backward()
            assert left.weight.grad.layout == torch.sparse_coo
            optimizer.step()
    error = (guess(asked) - truth[asked[:, 0], asked[:, 1]]).detach().square().mean()
    assert error < 0.05 * truth.square().mean()


def test_pagerank():
    torch.manual_seed(0)
    pages, damping = 2000, 0.85
    links = torch.randint(pages, (2, 20_000))
    links[1] = (links[1].double() ** 2 / pages).long()  # some are more popular
    ones = torch.ones(links.size(1), dtype=torch.float64)
    counts = torch.sparse_coo_tensor(links, ones, (pages, pages)).coalesce()
    leaving = torch.sparse.sum(counts, 1).to_dense().clamp(min=1)
    step = (counts / leaving.unsqueeze(1)).t().to_sparse_csr()
    idle = (torch.sparse.sum(counts, 1).to_dense() == 0).double()
    rank = torch.full((pages,), 1 / pages, dtype=torch.float64)
    for _ in range(100):
        rank = damping * (step @ rank + (idle @ rank) / pages) + (1 - damping) / pages
    # The same by the linear equations whose solution it is.
    matrix = torch.eye(pages, dtype=torch.float64) - damping * (step.to_dense() + idle / pages)
    right = torch.linalg.solve(matrix, torch.full((pages,), (1 - damping) / pages, dtype=torch.float64))
    assert torch.allclose(rank, right, rtol=1e-5, atol=1e-9) and abs(float(rank.sum()) - 1) < 1e-9


def laplacian(n):
    """That of a grid of n × n points with zeros around it."""
    places, values = [], []
    point = torch.arange(n * n)
    row, column = point // n, point % n
    places.append(torch.stack([point, point]))
    values.append(torch.full((n * n,), 4.0, dtype=torch.float64))
    for step, there in ((1, column < n - 1), (-1, column > 0), (n, row < n - 1), (-n, row > 0)):
        places.append(torch.stack([point[there], point[there] + step]))
        values.append(torch.full((int(there.sum()),), -1.0, dtype=torch.float64))
    return torch.sparse_coo_tensor(torch.cat(places, 1), torch.cat(values), (n * n, n * n)).to_sparse_csr()


def test_conjugate_gradients():
    n = 40
    matrix = laplacian(n)
    x = torch.linspace(0, 1, n + 2, dtype=torch.float64)[1:-1]
    wave = torch.sin(torch.pi * x)
    right = (wave.unsqueeze(1) * wave).view(-1)  # an eigenvector
    eigenvalue = 2 * 2 * (1 - torch.cos(torch.tensor(torch.pi / (n + 1), dtype=torch.float64)))
    noise = torch.sin(torch.arange(n * n, dtype=torch.float64))
    b = right + matrix @ noise
    found = torch.zeros_like(b)
    rest = b - matrix @ found
    direction, size = rest.clone(), rest @ rest
    for steps in range(400):  # noqa: B007 - how many there were is looked at below
        image = matrix @ direction
        alpha = size / (direction @ image)
        found += alpha * direction
        rest -= alpha * image
        before, size = size, rest @ rest
        if size < 1e-20:
            break
        direction = rest + size / before * direction
    assert steps < 200 and torch.allclose(found, right / eigenvalue + noise, atol=1e-8)
