"""Dividing a graph among accelerators none of which could hold all of it."""

import math
import operator
from typing import NamedTuple

from torch._absent import rest_of
from torch.fx.experimental import _partitions
from torch.fx.experimental._partitions import (
    check_dependency,
    combine_two_partitions,
    get_bfs_level_partition,
    get_device_partition_stats,
    get_device_to_partitions_mapping,
    get_logical_id_to_device as get_logical_id_to_device,
    get_node_to_partition_mapping,
    reorganize_partitions,
    reset_partition_device,
    set_parents_and_children,
)
from torch.fx.experimental.partitioner_utils import (
    Device,
    NodeLatency,
    Partition,
    PartitionerConfig,
    PartitionMode,
    get_extra_size_of,
    get_latency_of_partitioned_graph,
    get_partition_to_latency_mapping,
    inputs_of,
)
from torch.fx.graph_module import GraphModule
from torch.fx.passes.graph_manipulation import get_size_of_all_nodes
from torch.fx.passes.split_module import split_module
from torch.nn import Embedding, EmbeddingBag

__all__ = [
    "DAG",
    "DAGNode",
    "Device",
    "NodeLatency",
    "Partition",
    "PartitionMode",
    "PartitionResult",
    "Partitioner",
    "PartitionerConfig",
]
__all__ += _partitions.__all__

_STATE = ("placeholder", "get_attr", "output")


class DAGNode:
    """A submodule, what it takes and gives, its devices and its bytes."""

    def __init__(self, submodule_node, input_nodes, output_nodes, logical_device_ids, size_bytes):
        self.submodule_node = submodule_node
        self.input_nodes, self.output_nodes = input_nodes, output_nodes
        self.logical_device_ids = logical_device_ids
        self.size_bytes = size_bytes

    def __str__(self):
        return str(self.submodule_node)


class DAG:
    """The submodules in their order: `nodes`."""

    def __init__(self):
        self.nodes = []

    def create_node(self, submodule_node, input_nodes, output_nodes, logical_devices, size_bytes):
        """Adds one."""
        self.nodes.append(DAGNode(submodule_node, input_nodes, output_nodes, logical_devices, size_bytes))


class PartitionResult(NamedTuple):
    """What a Partitioner has made."""

    dag: DAG
    module_with_submodules: GraphModule


class Partitioner:
    """Divides a GraphModule, whose nodes have sizes (get_size_of_all_nodes), into submodules for devices."""

    def __init__(self):
        self.partitions = []
        self.node_to_partition = {}
        self.devices = []

    def partition_graph(self, fx_module, torch_module, partitioner_config):
        """The PartitionResult for a configuration. RuntimeError where the module does not fit."""
        self.graph_module, self.torch_module = fx_module, torch_module
        self.devices = partitioner_config.devices
        if not self.devices:
            raise RuntimeError("No devices")
        get_size_of_all_nodes(fx_module)
        if not self._operations():
            raise RuntimeError("No Partition since no operations in the module")
        self._divide(partitioner_config)
        if partitioner_config.saturate_host:
            self.saturate_host()
        module = self.do_partition()
        return PartitionResult(self.dump_dag(module), module)

    def _operations(self):
        return [node for node in self.graph_module.graph.nodes if node.op not in _STATE]

    def _divide(self, config):
        total = sum(node.size_bytes.total_size for node in self.graph_module.graph.nodes if node.op != "output")
        largest = max(self.devices, key=lambda device: device.available_mem_bytes)
        if config.mode == PartitionMode.aot_based:
            self.aot_based_partition(config.node_to_partition_mapping, config.partition_to_logical_device_mapping)
        elif total <= largest.available_mem_bytes:
            self.find_single_partition(total, largest.logical_id)
        elif total > sum(device.available_mem_bytes for device in self.devices):
            raise RuntimeError(f"the module takes {total} bytes, more than the memory of all devices together")
        elif config.mode == PartitionMode.sparse_nn:
            if len({device.available_mem_bytes for device in self.devices}) > 1:
                raise RuntimeError("sparse_nn: the devices have different amounts of memory")
            self.sparse_nn_partition(self.devices[0].available_mem_bytes)
        elif config.mode == PartitionMode.cost_aware:
            self.cost_aware_partition(config.transfer_rate_bytes_per_sec, config.node_to_latency_mapping)
        elif config.mode == PartitionMode.kl_based:
            self.kl_based_partition(config.transfer_rate_bytes_per_sec, config.node_to_latency_mapping)
        else:
            self.size_based_partition()

    # ---- parts -------------------------------------------------------------------------------------------
    def create_partition(self):
        """A new one, without nodes."""
        self.partitions.append(Partition(len(self.partitions)))
        return self.partitions[-1]

    def create_single_node_partition(self, node):
        """A new one for this node."""
        self.create_partition().add_node(node)

    def _number(self):
        reorganize_partitions(self.partitions)
        self.node_to_partition = get_node_to_partition_mapping(self.partitions)

    def do_partition(self):
        """The module with the partitions as submodules."""
        return split_module(self.graph_module, self.torch_module, lambda node: self.node_to_partition[node])

    def dump_dag(self, module_with_submodules):
        """The DAG of the submodules."""
        dag = DAG()
        for node in module_with_submodules.graph.nodes:
            if node.op in _STATE or node.target is operator.getitem:
                continue
            # One with several results gives them to those that take them apart.
            given = list(node.users) if len(node.users) > 1 else [node]
            partition = self.partitions[int(node.name.rpartition("_")[2])]
            dag.create_node(node, inputs_of(node), given, partition.logical_device_ids, partition.used_mem_bytes)
        return dag

    # ---- one partition, given ones -----------------------------------------------------------------------
    def find_single_partition(self, total_size_of_graph, logical_device_id=0):
        """All nodes in one."""
        partition = self.create_partition()
        partition.nodes.update(node for node in self.graph_module.graph.nodes if node.op != "output")
        partition.used_mem_bytes = total_size_of_graph
        partition.logical_device_ids.append(logical_device_id)
        self._number()

    def aot_based_partition(self, node_to_partition_mapping, partition_to_logical_device_mapping):
        """As it is said."""
        self.node_to_partition = node_to_partition_mapping
        made = {}
        for node, number in node_to_partition_mapping.items():
            if number not in made:
                made[number] = Partition(number)
                made[number].logical_device_ids = partition_to_logical_device_mapping[number]
                self.partitions.append(made[number])
            made[number].add_node(node)

    # ---- by size -----------------------------------------------------------------------------------------
    def size_based_partition(self):
        """Fills one device after the other; what is left over then gets partitions of its own, which share devices."""
        occupied, left, partition = [], 0, self.create_partition()
        for node in self._operations():
            if len(self.partitions) > len(self.devices):
                self.create_single_node_partition(node)
                continue
            needed = get_extra_size_of(node, partition.nodes)
            if partition.used_mem_bytes and left < needed:
                if len(self.partitions) == len(self.devices):
                    self.create_single_node_partition(node)
                    continue
                partition = self.create_partition()
                needed = get_extra_size_of(node, partition.nodes)
            if not partition.used_mem_bytes:
                device = self._free_device(node, occupied)
                occupied.append(device)
                left = device.available_mem_bytes
                partition.logical_device_ids.append(device.logical_id)
            partition.add_node(node)
            left -= needed
        self._number()
        if not get_device_to_partitions_mapping(self.partitions, self.devices):
            raise RuntimeError(f"no way to give {len(self.partitions)} partitions to {len(self.devices)} devices")

    def _free_device(self, node, occupied):
        needed = get_extra_size_of(node, set())
        for device in self.devices:
            if device not in occupied and device.available_mem_bytes >= needed:
                return device
        raise RuntimeError(f"{node} needs {needed} bytes: it is too large to fit any device that is free")

    def saturate_host(self):
        """Gives the partitions of each device another one, too, as long as there are idle ones that can hold them."""
        on_device, left, homeless = get_device_partition_stats(self.partitions, self.devices)
        if homeless:
            raise RuntimeError("All partitions must have a device before devices that are idle get some")
        used = [device for device in self.devices if on_device[device]]
        idle = sorted((d for d in self.devices if not on_device[d]), key=lambda device: device.available_mem_bytes)
        while True:
            chosen = {}
            for device in used:
                needed = device.available_mem_bytes - left[device]
                free = (one for one in idle if one not in chosen.values() and one.available_mem_bytes >= needed)
                chosen[device] = next(free, None)
                if chosen[device] is None:
                    return
            for device, other in chosen.items():
                idle.remove(other)
                for partition in on_device[device]:
                    partition.logical_device_ids.append(other.logical_id)

    # ---- embeddings apart --------------------------------------------------------------------------------
    def sparse_nn_partition(self, available_mem_bytes):
        """A device for each partition of embeddings; the rest of the program with each of them."""
        groups = {True: [], False: []}
        partition, embedding = self.create_partition(), False
        for node in self._operations():
            if self._is_embedding(node) != embedding:
                if partition.used_mem_bytes:
                    groups[embedding].append(partition)
                    partition = self.create_partition()
                embedding = not embedding
            if get_extra_size_of(node, partition.nodes) + partition.used_mem_bytes > available_mem_bytes:
                groups[embedding].append(partition)
                partition = self.create_partition()
                if get_extra_size_of(node, partition.nodes) > available_mem_bytes:
                    raise RuntimeError(f"{node.target} is too large to fit into a device")
            partition.add_node(node)
        groups[embedding].append(partition)
        set_parents_and_children(self.partitions)
        for group in (groups[False], groups[True]):
            while self._combined(group, available_mem_bytes):
                pass
        self._share_devices(groups[True], groups[False], available_mem_bytes)
        self._number()

    def _is_embedding(self, node):
        return node.op == "call_module" and isinstance(
            self.graph_module.get_submodule(node.target), (Embedding, EmbeddingBag)
        )

    def _combined(self, group, available):
        """Whether the smallest one has been put together with another one near it, the largest possible."""
        get_bfs_level_partition(self.partitions)
        smallest, *others = sorted(group, key=lambda partition: partition.used_mem_bytes) or [None]
        for other in reversed(others):
            both = other.nodes | smallest.nodes
            needed = sum(get_extra_size_of(node, both) for node in both)
            if abs(smallest.bfs_level - other.bfs_level) <= 1 and needed <= available:
                combine_two_partitions(other, smallest, self.partitions)
                group.remove(smallest)
                group.remove(other)
                group.append(self.partitions[-1])
                return True
        return False

    def _share_devices(self, embeddings, others, available):
        if len(embeddings) > len(self.devices):
            raise RuntimeError(f"Need {len(embeddings)} devices, but only {len(self.devices)} provided")
        size = sum(partition.used_mem_bytes for partition in others)
        numbers = []
        for partition, device in zip(embeddings, self.devices):
            if size + partition.used_mem_bytes > available:
                raise RuntimeError(
                    f"partition_{partition.partition_id}, of embeddings, and the other partitions are too large for one device"
                )
            partition.logical_device_ids = [device.logical_id]
            numbers.append(device.logical_id)
        for partition in others:
            partition.logical_device_ids = numbers

    # ---- by latency --------------------------------------------------------------------------------------
    def _cost(self, partitions, rate, latencies):
        return get_latency_of_partitioned_graph(
            partitions, get_partition_to_latency_mapping(partitions, latencies), rate
        )

    def cost_aware_partition(self, transfer_rate_bytes_per_sec, node_to_latency_mapping):
        """Each node in a partition, and as long as the whole gets no slower by it, two of these put together."""
        for node in self._operations():
            self.create_single_node_partition(node)
        set_parents_and_children(self.partitions)
        get_bfs_level_partition(self.partitions)
        while self._best_pair_combined(transfer_rate_bytes_per_sec, node_to_latency_mapping):
            pass
        self._number()

    def _best_pair_combined(self, rate, latencies):
        if len(self.partitions) == 1:
            return False
        cost, pair = self._cost(self.partitions, rate, latencies), None
        for i, first in enumerate(self.partitions):
            for second in self.partitions[i + 1 :]:
                with_both = self._cost_of_pair(first, second, rate, latencies)
                if with_both <= cost:
                    cost, pair = with_both, (first, second)
                reorganize_partitions(self.partitions)
        if pair:
            combine_two_partitions(*pair, self.partitions)
            get_bfs_level_partition(self.partitions)
        reset_partition_device(self.partitions)
        get_device_to_partitions_mapping(self.partitions, self.devices)
        return pair is not None

    def _cost_of_pair(self, first, second, rate, latencies):
        near = abs(first.bfs_level - second.bfs_level) <= 1
        if not (near or first in second.parents or first in second.children):
            return math.inf
        partitions = self.partitions[:]
        combine_two_partitions(first, second, partitions)
        if check_dependency(partitions[-1]):
            return math.inf
        reset_partition_device(partitions)
        if not get_device_to_partitions_mapping(partitions, self.devices):
            return math.inf
        return self._cost(partitions, rate, latencies)

    # ---- by exchange -------------------------------------------------------------------------------------
    def kl_based_partition(self, transfer_rate_bytes_per_sec, node_to_latency_mapping):
        """By size first; then nodes change places, or move, where the whole gets faster by it (Kernighan and Lin)."""
        self.size_based_partition()
        cost = self._cost(self.partitions, transfer_rate_bytes_per_sec, node_to_latency_mapping)
        for node in self._operations():
            here, best = self.partitions[self.node_to_partition[node]], None
            for there in self.partitions:
                if there is here:
                    continue
                for other in [*(n for n in there.nodes if n.op not in _STATE), None]:
                    swapped = self._cost_of_swap(
                        node, other, here, there, transfer_rate_bytes_per_sec, node_to_latency_mapping
                    )
                    if swapped < cost:
                        cost, best = swapped, (other, there)
            if best:
                self._swap(node, best[0], here, best[1])
                self._number()
        reorganize_partitions(self.partitions)
        reset_partition_device(self.partitions)
        get_device_to_partitions_mapping(self.partitions, self.devices)

    @staticmethod
    def _swap(node, other, here, there):
        if node is not None:
            here.remove_node(node)
            there.add_node(node)
        if other is not None:
            here.add_node(other)
            there.remove_node(other)

    def _cost_of_swap(self, node, other, here, there, rate, latencies):
        self._swap(node, other, here, there)
        reorganize_partitions(self.partitions)
        cost = math.inf
        if not check_dependency(here) and not check_dependency(there):
            reset_partition_device(self.partitions)
            if get_device_to_partitions_mapping(self.partitions, self.devices):
                cost = self._cost(self.partitions, rate, latencies)
        self._swap(other, node, here, there)
        reorganize_partitions(self.partitions)
        reset_partition_device(self.partitions)
        get_device_to_partitions_mapping(self.partitions, self.devices)
        return cost


__getattr__, __dir__ = rest_of(__name__)  # other modules' names that PyTorch has here, too
