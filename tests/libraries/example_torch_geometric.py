import torch
from common import fixed, gradients, wave
from torch_geometric.data import Batch, Data
from torch_geometric.nn import GATConv, GCNConv, SAGEConv, global_mean_pool
from torch_geometric.utils import add_self_loops, degree, to_undirected

EDGES = to_undirected(torch.tensor([[0, 1, 2, 3, 4, 5, 0], [1, 2, 3, 4, 5, 0, 3]]))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GCNConv(4, 8), GCNConv(8, 3)

    def forward(self, x, edges):
        return self.second(torch.relu(self.first(x, edges)), edges)


def run():
    x = wave(6, 4)
    net = fixed(Net())
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x, EDGES), torch.arange(6) % 3)
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    batch = Batch.from_data_list(
        [Data(x=x, edge_index=EDGES), Data(x=x[:2] * 2, edge_index=torch.tensor([[0, 1], [1, 0]]))]
    )
    attention = fixed(GATConv(4, 5, heads=2))
    result = attention(x, EDGES)
    result.sum().backward()
    return {
        "losses": losses,
        "out": net(x, EDGES),
        "attention": result,
        "gradients": gradients(attention),
        "sage": fixed(SAGEConv(4, 3))(x, EDGES),
        "pooled": global_mean_pool(batch.x, batch.batch),
        "degree": degree(add_self_loops(EDGES)[0][0]),
        "batch": [batch.num_graphs, batch.num_nodes, batch.num_edges],
    }
