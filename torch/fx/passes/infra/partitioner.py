"""Partitions of what a backend can run."""

import logging
from collections import deque

from torch.fx._naming import _get_qualified_name
from torch.fx.node import Node
from torch.fx.passes.utils.fuser_utils import fuse_by_partitions

logger = logging.getLogger(__name__)


class Partition:
    """A group of nodes."""

    def __init__(self, id=None, nodes=None, node_orders=None):  # noqa: A002 - torch's name
        self.id = id
        self.nodes = dict(zip(nodes or (), node_orders)) if node_orders is not None else dict.fromkeys(nodes or ())

    def __repr__(self):
        return str(self.nodes)

    def add_node(self, node, node_order=None):
        """Adds a node."""
        self.nodes[node] = node_order

    def remove_node(self, node):
        """Takes a node out."""
        del self.nodes[node]

    def size(self):
        """How many nodes there are."""
        return len(self.nodes)


class _DependencyViewer:
    """What depends on a node, directly or not."""

    def __init__(self, graph_module):
        self.downstreams = {}
        for node in reversed(graph_module.graph.nodes):
            found = set(node.users)
            for user in node.users:
                found |= self.downstreams[user]
            self.downstreams[node] = found

    def downstreams_of(self, node):
        return self.downstreams[node]


class CapabilityBasedPartitioner:
    """Finds groups, as large as possible, of nodes that ``operator_support.is_node_supported(submodules, node)`` accepts,
    and makes submodules of them."""

    def __init__(
        self,
        graph_module,
        operator_support,
        allows_single_node_partition=False,
        non_compute_ops=None,
        allowed_single_node_partition_ops=None,
        skip_horizontal_fusion=False,
    ):
        self.graph_module, self.operator_support = graph_module, operator_support
        self.allows_single_node_partition = allows_single_node_partition
        self.non_compute_ops = non_compute_ops or ()
        self.allowed_single_node_partition_ops = allowed_single_node_partition_ops or ()
        self.skip_horizontal_fusion = skip_horizontal_fusion
        self.dependency_viewer = _DependencyViewer(graph_module)

    def _is_node_supported(self, node):
        return self.operator_support.is_node_supported(dict(self.graph_module.named_modules()), node)

    def propose_partitions(self):
        """The groups: a list of Partition."""
        submodules = dict(self.graph_module.named_modules())
        numbers = {}  # {node: number of its group}
        groups = {}
        next_number = 0
        for node in reversed(self.graph_module.graph.nodes):
            if not self.operator_support.is_node_supported(submodules, node):
                continue
            if node not in numbers:
                numbers[node], groups[next_number] = next_number, {node: None}
                next_number += 1
            candidates = list(dict.fromkeys(numbers[user] for user in node.users if user in numbers))
            if not self.skip_horizontal_fusion:
                candidates += [number for number in groups if number not in candidates]
            for other in candidates:
                self._merge(numbers[node], other, numbers, groups)
        order = self.graph_module.graph._positions()
        proposed = [
            Partition(id=number, nodes=sorted(nodes, key=order.__getitem__))
            for number, nodes in groups.items()
            if self._worth(nodes)
        ]
        return proposed

    def _merge(self, a, b, numbers, groups):
        """Makes one group of two, unless a path would lead out of it and back."""
        if a == b or a not in groups or b not in groups:
            return
        merged = {**groups[a], **groups[b]}
        queue, seen = deque(u for n in merged for u in n.users if u not in merged), set()
        while queue:
            node = queue.popleft()
            if node in seen:
                continue
            seen.add(node)
            for user in node.users:
                if user in merged:
                    return
                queue.append(user)
        groups[a] = merged
        for node in groups.pop(b):
            numbers[node] = a

    def _worth(self, nodes):
        """Whether a group is more than one node that computes something."""
        if self.allows_single_node_partition:
            return True
        ignored = {"torch.ops.aten.view", "_operator.getitem", *self.non_compute_ops}
        count = 0
        for node in nodes:
            if node.op != "call_function":
                count += 1
                continue
            name = _get_qualified_name(node.target)
            if name not in ignored:
                count += 1
            if name in self.allowed_single_node_partition_ops:
                return True
        return count > 1

    def fuse_partitions(self, partitions, prefix="fused_"):
        """Makes a submodule of each group."""
        return fuse_by_partitions(self.graph_module, [p.nodes for p in partitions], prefix=prefix)

    def remove_bookend_non_compute_ops(self, partitions):
        """Takes nodes that compute nothing out of the groups where they come first or last."""
        ignored = set(self.non_compute_ops)

        def is_free(node):
            return node.op == "call_function" and _get_qualified_name(node.target) in ignored

        for partition in partitions:
            changed = True
            while changed:
                changed = False
                for node in list(partition.nodes):
                    first = not any(x in partition.nodes for x in node.all_input_nodes if isinstance(x, Node))
                    last = not any(user in partition.nodes for user in node.users)
                    if is_free(node) and (first or last):
                        partition.remove_node(node)
                        changed = True

    def partition_and_fuse(self, prefix="fused_"):
        """Finds the groups and makes submodules of them."""
        return self.fuse_partitions(self.propose_partitions(), prefix=prefix)
