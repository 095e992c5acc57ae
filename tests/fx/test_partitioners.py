"""Dividing graphs among accelerators: what PyTorch 2.13's partitioners do."""

import pytest
import torch
from torch import nn
from torch.fx import symbolic_trace
from torch.fx.experimental import accelerator_partitioner as partitioner
from torch.fx.experimental.partitioner_utils import (
    Device,
    NodeLatency,
    Partition,
    PartitionerConfig,
    PartitionLatency,
    PartitionMode,
    get_comm_latency_between,
    get_extra_size_of,
    get_latency_of_partitioned_graph,
    get_partition_to_latency_mapping,
)
from torch.fx.passes.graph_manipulation import get_size_of_all_nodes

X = torch.arange(4.0)


class Program(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        y = x + 1
        return self.b(self.a(y) + y) + x


class Sparse(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.EmbeddingBag(8, 4, mode="sum"), nn.EmbeddingBag(8, 4, mode="sum")
        self.linear = nn.Linear(4, 4)

    def forward(self, a, b, o, c):
        x, y = self.first(a, o), self.second(b, o)
        return self.linear(c) + x + y


def traced(module, *inputs):
    found = symbolic_trace(module)
    get_size_of_all_nodes(found, inputs)
    return found


def divided(module, sizes, latency=None, **options):
    if latency:
        options |= {"transfer_rate_bytes_per_sec": latency, "node_to_latency_mapping": latencies(module)}
    devices = [Device(f"d{i}", size, i) for i, size in enumerate(sizes)]
    return partitioner.Partitioner().partition_graph(module, module, PartitionerConfig(devices, **options))


def latencies(module):
    return {node: NodeLatency(1.0 + i, 2.0) for i, node in enumerate(module.graph.nodes)}


def described(result):
    parts = dict(result.module_with_submodules.named_children())
    return [
        (
            " ".join(n.name for n in parts[str(d)].graph.nodes if n.op.startswith("call")),
            d.logical_device_ids,
            d.size_bytes,
        )
        for d in result.dag.nodes
    ]


COST, EXCHANGE = PartitionMode.cost_aware, PartitionMode.kl_based
DIVIDED = [
    ([125, 150, 125], {}, [("add", [0], 32), ("a add_1", [1], 144), ("b", [2], 112), ("add", [0], 48)]),
    ([1000, 2000], {}, [("add a add_1 b add_2", [1], 256)]),
    ([200] * 7, {"saturate_host": True}, [("add a add_1", [0, 2, 4], 144), ("b add", [1, 3, 5], 144)]),
    (
        [200, 200],
        {"mode": COST, "latency": 2.0},
        [("add", [0], 32), ("a", [0], 112), ("add_1", [0], 48), ("b add", [1], 144)],
    ),
    ([150] * 3, {"mode": COST, "latency": 200.0}, [("add", [0], 32), ("a add_1", [0], 144), ("b add", [1], 144)]),
    ([150] * 4, {"mode": EXCHANGE, "latency": 2.0}, [("add a add_1", [0], 144), ("b add", [1], 144)]),
]


@pytest.mark.parametrize(("sizes", "options", "expected"), DIVIDED, ids=str)
def test_divided(sizes, options, expected):
    module = traced(Program(), X)
    result = divided(module, sizes, **options)
    assert described(result) == expected
    assert torch.equal(result.module_with_submodules(X), module(X))


def test_divided_as_it_is_said():
    module = traced(Program(), X)
    numbers = {n: int(n.name in ("b", "add_2")) for n in module.graph.nodes if n.op.startswith("call")}
    result = divided(
        module,
        [400, 400],
        mode=PartitionMode.aot_based,
        node_to_partition_mapping=numbers,
        partition_to_logical_device_mapping={0: [0], 1: [1]},
    )
    assert described(result) == [("add a add_1", [0], 144), ("b add", [1], 144)]
    first, second = result.dag.nodes
    assert [n.name for n in second.input_nodes] == ["submod_0", "x"]
    assert [n.name for n in first.output_nodes] == ["submod_0"]


def test_embeddings_have_devices_of_their_own():
    module = traced(Sparse(), torch.tensor([1, 2]), torch.tensor([1, 2]), torch.tensor([0]), X)
    sparse = {"mode": PartitionMode.sparse_nn}
    with pytest.raises(RuntimeError, match="partition_0, of embeddings, and the other partitions are too large"):
        divided(module, [300] * 3, **sparse)
    with pytest.raises(RuntimeError, match="the devices have different amounts of memory"):
        divided(module, [300, 350], **sparse)
    assert described(divided(module, [600, 600], **sparse)) == [("first second linear add add_1", [0], 472)]


@pytest.mark.parametrize(
    ("sizes", "message"),
    [([], "No devices"), ([20, 20], "more than the memory of all devices"), ([100] * 3, "too large to fit any device")],
)
def test_what_does_not_fit_is_refused(sizes, message):
    with pytest.raises(RuntimeError, match=message):
        divided(traced(Program(), X), sizes)


def test_nothing_to_divide_is_refused():
    with pytest.raises(RuntimeError, match="No Partition since no operations in the module"):
        divided(traced(lambda x: x, X), [500])


def test_partitions():
    module = traced(Program(), X)
    nodes = list(module.graph.nodes)
    partitions = parts = [Partition(i) for i in range(3)]
    for part, own in zip(parts, (nodes[1:3], nodes[3:4], nodes[4:6])):
        for node in own:
            part.add_node(node)
    partitioner.reorganize_partitions(parts)
    partitioner.get_bfs_level_partition(parts)
    assert [(p.bfs_level, p.used_mem_bytes) for p in parts] == [(0, 128), (1, 48), (2, 144)]
    assert [get_extra_size_of(nodes[2], {nodes[1]}), get_extra_size_of(nodes[1], set())] == [96, 32]
    mapping = get_partition_to_latency_mapping(
        parts, {node: NodeLatency(1.0 + i, 2.0 * i) for i, node in enumerate(nodes)}
    )
    assert mapping[parts[2]] == PartitionLatency(11.0, 18.0, 18.0)
    assert get_comm_latency_between(parts[0], parts[1], 2.0) == 16.0
    assert get_latency_of_partitioned_graph(parts, mapping, 2.0) == 54.0
    devices = [Device("a", 500, 0), Device("b", 200, 1)]
    assert partitioner.get_device_to_partitions_mapping(parts, devices)
    assert [p.logical_device_ids for p in parts] == [[1], [1], [0]]
    assert list(partitioner.get_device_partition_stats(parts, devices)[1].values()) == [356, 24]
    partitioner.reset_partition_device(parts)
    partitioner.combine_two_partitions(parts[0], parts[1], partitions)
    assert [sorted(n.name for n in p.nodes) for p in partitions] == [["add_2", "b", "x"], ["a", "add", "add_1", "x"]]
    assert not any(map(partitioner.check_dependency, partitions))
    partitions[0].remove_node(nodes[4])
    assert partitions[0].used_mem_bytes == 48
    with pytest.raises(RuntimeError, match="node has no size_bytes attr"):
        Partition(0).add_node(list(symbolic_trace(Program()).graph.nodes)[1])
