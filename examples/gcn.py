"""Telling communities of a graph apart: a graph convolution of two layers with a sparse adjacency matrix.

    python examples/gcn.py [--epochs 100] [--threads 1]

The graph is a stochastic block model of 2,708 nodes in 7 communities, as many as the citation graph Cora has: two nodes of
one community are joined with probability 0.025, two others with 0.001. What a node says of itself is its community's sign
under so much noise that a linear map of it is right one time out of four. The communities of 20 nodes of each are known;
those of all others are asked for. The right answer is what the graph was drawn from.
"""

import argparse
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

NODES, COMMUNITIES, FEATURES, KNOWN = 2708, 7, 32, 20
INSIDE, BETWEEN = 0.025, 0.001
SIGNAL = 1.0
LEAST = 0.97


def drawn(seed):
    """(edges as indices (2, m) in both directions, features (n, 32), communities (n,))"""
    torch.manual_seed(seed)
    community = torch.arange(NODES) * COMMUNITIES // NODES
    together = community.unsqueeze(0) == community.unsqueeze(1)
    joined = torch.rand(NODES, NODES) < torch.where(together, INSIDE, BETWEEN)
    upper = joined.triu(1).nonzero().t()
    signs = F.normalize(torch.randn(COMMUNITIES, FEATURES), dim=1) * SIGNAL
    features = signs[community] + torch.randn(NODES, FEATURES)
    return torch.cat([upper, upper.flip(0)], 1), features, community


def normalised(edges):
    """D^-½ (A + I) D^-½ by compressed rows, D the degrees in A + I."""
    loops = torch.arange(NODES).expand(2, NODES)
    places = torch.cat([edges, loops], 1)
    degrees = torch.zeros(NODES).index_add_(0, places[0], torch.ones(places.size(1)))
    scale = degrees.rsqrt()
    values = scale[places[0]] * scale[places[1]]
    return torch.sparse_coo_tensor(places, values, (NODES, NODES)).coalesce().to_sparse_csr()


class GraphConvolution(nn.Module):
    """Of each node the mean over its neighbours and itself of what a linear map makes of them."""

    def __init__(self, width, out):
        super().__init__()
        self.linear = nn.Linear(width, out)

    def forward(self, adjacency, x):
        return torch.sparse.mm(adjacency, self.linear(x))


class Network(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.first = GraphConvolution(FEATURES, hidden)
        self.second = GraphConvolution(hidden, COMMUNITIES)

    def forward(self, adjacency, x):
        x = F.dropout(torch.relu(self.first(adjacency, x)), 0.5, self.training)
        return self.second(adjacency, x)


def known_of(community):
    """Some nodes of each community, as a mask."""
    known = torch.zeros(NODES, dtype=torch.bool)
    for c in range(COMMUNITIES):
        nodes = (community == c).nonzero().view(-1)
        known[nodes[torch.randperm(len(nodes))[:KNOWN]]] = True
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    edges, features, community = drawn(options.seed)
    adjacency, known = normalised(edges), known_of(community)
    print(f"{NODES} nodes, {edges.size(1) // 2} edges, {int(known.sum())} communities known")

    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01, weight_decay=5e-4)
    start = time.perf_counter()
    for epoch in range(options.epochs):
        optimizer.zero_grad()
        loss = F.cross_entropy(network(adjacency, features)[known], community[known])
        loss.backward()
        optimizer.step()
        if (epoch + 1) % 20 == 0:
            print(f"epoch {epoch + 1}: loss {loss.item():.3f}")
    took = time.perf_counter() - start

    network.eval()
    with torch.no_grad():
        answer = network(adjacency, features).argmax(1)
    right = (answer == community)[~known].float().mean().item()
    print(f"{right:.2%} of the other {int((~known).sum())} are right, in {took:.2f} s")
    if right < LEAST:
        sys.exit(f"at least {LEAST:.0%} were expected")


if __name__ == "__main__":
    main()
