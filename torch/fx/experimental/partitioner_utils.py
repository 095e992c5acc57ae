"""What partitioners for accelerators know of devices, partitions and latencies."""

from enum import Enum
from typing import NamedTuple

from torch._absent import rest_of
from torch.fx.node import Node, map_arg

__all__ = [
    "Device",
    "NodeLatency",
    "Partition",
    "PartitionLatency",
    "PartitionMode",
    "PartitionerConfig",
    "get_comm_latency_between",
    "get_extra_size_of",
    "get_latency_of_one_partition",
    "get_latency_of_partitioned_graph",
    "get_partition_to_latency_mapping",
]


class Device(NamedTuple):
    """An accelerator."""

    name: str
    available_mem_bytes: int
    logical_id: int


class NodeLatency(NamedTuple):
    """Seconds that a node needs for memory and for computing."""

    mem_latency_sec: float
    computer_latency_sec: float


class PartitionLatency(NamedTuple):
    """Seconds that a partition needs along its critical path."""

    mem_latency_sec: float
    computer_latency_sec: float
    overall_latency_sec: float


class PartitionMode(Enum):
    """How a graph is divided."""

    size_based = 0
    sparse_nn = 1
    cost_aware = 2
    kl_based = 3
    aot_based = 4


class PartitionerConfig(NamedTuple):
    """What a graph is divided for."""

    devices: list[Device]
    mode: PartitionMode = PartitionMode.size_based
    transfer_rate_bytes_per_sec: float = 0.0
    node_to_latency_mapping: dict[Node, NodeLatency] = {}
    node_to_partition_mapping: dict[Node, int] = {}
    partition_to_logical_device_mapping: dict[int, list[int]] = {}
    saturate_host: bool = False


def inputs_of(node):
    """The nodes that it takes, each once, in their order."""
    found = {}
    map_arg(node.args, found.setdefault)
    map_arg(node.kwargs, found.setdefault)
    return list(found)


class Partition:
    """Nodes that run on one device, with the inputs and parameters that they need."""

    def __init__(self, partition_id):
        self.nodes = set()
        self.partition_id = partition_id
        self.parents, self.children = set(), set()
        self.bfs_level = -1
        self.used_mem_bytes = 0
        self.logical_device_ids = []

    def __str__(self):
        return str(self.partition_id)

    def recalculate_mem_size(self):
        """Counts again."""
        self.used_mem_bytes = sum(get_extra_size_of(node, self.nodes) for node in self.nodes)

    def add_node(self, node):
        """Takes a node, and the placeholders and get_attr nodes that it takes."""
        self.nodes.update(n for n in inputs_of(node) if n.op in ("placeholder", "get_attr"))
        self.nodes.add(node)
        self.recalculate_mem_size()

    def remove_node(self, node):
        """Gives a node away, and the placeholders and get_attr nodes that no other one takes."""
        if node not in self.nodes:
            return
        self.nodes.remove(node)
        for n in inputs_of(node):
            if n.op in ("placeholder", "get_attr") and not any(user in self.nodes for user in n.users):
                self.nodes.discard(n)
        self.recalculate_mem_size()


def _size_of(node):
    size = getattr(node, "size_bytes", None)
    if not size:
        raise RuntimeError("node has no size_bytes attr")
    return size


def get_extra_size_of(node, nodes):
    """Bytes that it takes to add the node to these: its own, and values that come from outside."""
    outside = sum(_size_of(n).output_size for n in inputs_of(node) if n not in nodes)
    return outside + _size_of(node).total_size


# ---- latencies -----------------------------------------------------------------------------------------------
def _first_nodes(partition):
    """Those that take nothing from the partition but placeholders and get_attr nodes."""
    return [
        node
        for node in partition.nodes
        if node.op not in ("placeholder", "get_attr")
        and not any(n in partition.nodes and n.op not in ("placeholder", "get_attr") for n in inputs_of(node))
    ]


def _add(a, node, mapping):
    latency = mapping[node]
    return PartitionLatency(
        a.mem_latency_sec + latency.mem_latency_sec,
        a.computer_latency_sec + latency.computer_latency_sec,
        a.overall_latency_sec + max(latency.mem_latency_sec, latency.computer_latency_sec),
    )


def get_latency_of_one_partition(partition, node_to_latency_mapping):
    """The PartitionLatency of the path that takes longest."""

    def longest(node, before):
        here = _add(before, node, node_to_latency_mapping)
        users = [user for user in node.users if user in partition.nodes]
        return max((longest(user, here) for user in users), key=lambda one: one.overall_latency_sec, default=here)

    none = PartitionLatency(0.0, 0.0, 0.0)
    found = none
    for node in _first_nodes(partition):
        latency = longest(node, none)
        if latency.overall_latency_sec > found.overall_latency_sec:
            found = latency
    return found


def get_partition_to_latency_mapping(partitions, node_to_latency_mapping):
    """{partition: its PartitionLatency}"""
    return {partition: get_latency_of_one_partition(partition, node_to_latency_mapping) for partition in partitions}


def get_comm_latency_between(parent_partition, child_partition, transfer_rate_bytes_per_sec):
    """Seconds that it takes to send what the child takes from the parent: nothing if they share a device."""
    if (
        parent_partition.logical_device_ids
        and child_partition.logical_device_ids
        and parent_partition.logical_device_ids == child_partition.logical_device_ids
    ):
        return 0.0
    sent = {n for node in child_partition.nodes for n in inputs_of(node) if n in parent_partition.nodes}
    return sum(_size_of(n).output_size for n in sent) / transfer_rate_bytes_per_sec


def get_latency_of_partitioned_graph(partitions, partition_to_latency_mapping, transfer_rate_bytes_per_sec):
    """Seconds of the path through the partitions that takes longest."""

    def longest(partition):
        own = partition_to_latency_mapping[partition].overall_latency_sec
        return own + max(
            (
                get_comm_latency_between(partition, child, transfer_rate_bytes_per_sec) + longest(child)
                for child in partition.children
            ),
            default=0.0,
        )

    return max((longest(partition) for partition in partitions if not partition.parents), default=0.0)


__getattr__, __dir__ = rest_of(__name__)  # other modules' names that PyTorch has here, too
