"""Taking a graph apart into what an accelerator runs and what it does not."""

import argparse
import copy
import json
import os
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch.fx.passes.graph_manipulation import get_size_of_node
from torch.fx.passes.shape_prop import ShapeProp
from torch.fx.passes.split_utils import move_non_tensor_nodes_on_boundary, split_by_tags
from torch.fx.passes.tools_common import CALLABLE_NODE_OPS, FxNetAccFusionsFinder, is_node_output_tensor

__all__ = [
    "FxNetAccNodesFinder",
    "FxNetSplitterInternalError",
    "NodeEvent",
    "NodeEventTracker",
    "SplitResult",
    "Subgraph",
    "generate_inputs_for_submodules",
]

DEFAULT_MIN_ACC_MODULE_SIZE = 1
DEFAULT_SKIP_FUSION = False
DEFAULT_ALLOW_NON_TENSOR = False
TRACKER_DUMP_PATH = "_fx_net_tracker"
NODES_SUFFIX = "_nodes.txt"
ALL_SUFFIX = "_all.txt"
ENV_FX_NET_ACC_SPLITTER_TRACKER_MODE = "FX_NET_ACC_SPLITTER_TRACKER_MODE"
ENV_FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH = "FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH"
ENV_FX_NET_ACC_SPLITTER_TRACKER_TRACKED_NODES = "FX_NET_ACC_SPLITTER_TRACKER_TRACKED_NODES"
DUMP_PREFIX = os.environ.get(ENV_FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH, TRACKER_DUMP_PATH)
TRACKER_MODE = int(os.environ.get(ENV_FX_NET_ACC_SPLITTER_TRACKER_MODE, "0"))


class _SplitterSettingBase:
    """Settings. --min-acc-module-size, --max-acc-splits, --skip-fusion and --allow-non-tensor on the command line
    override them."""

    def __init__(
        self,
        min_acc_module_size=DEFAULT_MIN_ACC_MODULE_SIZE,
        skip_fusion=DEFAULT_SKIP_FUSION,
        allow_non_tensor=DEFAULT_ALLOW_NON_TENSOR,
        max_acc_splits=-1,
        move_non_tensor_nodes_on_boundary=False,
    ):
        parser = argparse.ArgumentParser(add_help=False)
        parser.add_argument("--min-acc-module-size", "--min_acc_module_size", type=int)
        parser.add_argument("--max-acc-splits", "--max_acc_splits", type=int)
        parser.add_argument("--skip-fusion", "--skip_fusion", action="store_true")
        parser.add_argument("--allow-non-tensor", "--allow_non_tensor", action="store_true")
        given, _ = parser.parse_known_args()
        self.min_acc_module_size = given.min_acc_module_size or min_acc_module_size
        self.max_acc_splits = given.max_acc_splits or max_acc_splits
        self.skip_fusion = given.skip_fusion or skip_fusion
        self.allow_non_tensor = given.allow_non_tensor or allow_non_tensor
        self.move_non_tensor_nodes_on_boundary = move_non_tensor_nodes_on_boundary


class NodeEvent:
    """Why a node went to one side."""

    def __init__(self, source, desc, dep=None):
        self.source, self.desc, self.dep = source, desc, dep

    def to_str(self):
        """The event as a line."""
        return f"{self.source.name}: {self.desc} -> {self.dep.name if self.dep is not None else '#'}"


class NodeEventTracker:
    """Collects events. `tracker_mode`: 0 none, 1 all are written when dumped, 2 those of the nodes named in the
    environment, 3 both."""

    def __init__(self, tracker_mode, dump_prefix):
        self.tracker_mode, self.dump_prefix = tracker_mode, dump_prefix
        self.enabled = bool(tracker_mode)
        self.events = []
        self.node_events = {}
        self.writer = print

    def add(self, node, desc, dep=None):
        """Notes an event."""
        if not self.enabled:
            return
        self.events.append(NodeEvent(node, desc, dep))
        self.node_events.setdefault(node.name, []).append(len(self.events) - 1)

    def print_node(self, node_name, recursive=False, tab="", writer=None):
        """Shows a node's events, and of those that it depends on."""
        writer = writer or self.writer
        for index in self.node_events.get(node_name, ()):
            event = self.events[index]
            writer(tab + event.to_str())
            if recursive and event.dep is not None:
                self.print_node(event.dep.name, recursive=True, tab="| " + tab, writer=writer)

    def to_dict(self):
        """{node's name: its events as text}"""
        return {name: [self.events[i].to_str() for i in found] for name, found in self.node_events.items()}

    def print_all(self, writer=None):
        """Shows all events."""
        for name in self.node_events:
            (writer or self.writer)(f"Node: {name}:")
            self.print_node(name, recursive=False, tab="  ", writer=writer)

    def dump(self):
        """Writes what the mode says."""
        if self.tracker_mode in (1, 3):
            with open(self.dump_prefix + ALL_SUFFIX, "w") as file:
                json.dump(self.to_dict(), file, indent=4)
        names = os.environ.get(ENV_FX_NET_ACC_SPLITTER_TRACKER_TRACKED_NODES, "")
        if self.tracker_mode in (2, 3) and names:
            with open(self.dump_prefix + NODES_SUFFIX, "w") as file:
                for name in names.split(","):
                    file.write(f"===== Tracking node {name} =====\n")
                    self.print_node(name, recursive=True, tab="|-", writer=lambda line: file.write(line + "\n"))
                    file.write(f"===== End of tracking node {name} =====\n")


class FxNetAccNodesFinder:
    """The nodes that an accelerator can run: those that `operator_support` accepts, unless values that are no tensors
    would pass between the two sides."""

    def __init__(self, module, operator_support, allow_non_tensor):
        self.module, self.operator_support, self.allow_non_tensor = module, operator_support, allow_non_tensor
        self.acc_nodes = set()
        self.tracker = NodeEventTracker(TRACKER_MODE, DUMP_PREFIX)

    def reduce_acc_nodes_non_tensor_input_helper(self, cpu_worklist):
        """What takes values other than tensors from these nodes goes to their side, too."""
        while cpu_worklist:
            node = cpu_worklist.pop(0)
            for user in node.users:
                if user in self.acc_nodes:
                    self.acc_nodes.remove(user)
                    self.tracker.add(user, "acc_del|user_of_new_cpu_node_with_non_tensor_output", node)
                    if not is_node_output_tensor(user):
                        cpu_worklist.append(user)

    def reduce_acc_nodes_non_tensor_input(self):
        """No node of the accelerator takes values other than tensors from outside."""
        outside = [
            node
            for node in self.module.graph.nodes
            if node.op in CALLABLE_NODE_OPS and node not in self.acc_nodes and not is_node_output_tensor(node)
        ]
        self.reduce_acc_nodes_non_tensor_input_helper(outside)

    def reduce_acc_nodes_non_tensor_output(self):
        """No node of the accelerator gives values other than tensors to outside."""
        while True:
            new = []
            for node in list(self.acc_nodes):
                if is_node_output_tensor(node):
                    continue
                for user in node.users:
                    if user not in self.acc_nodes:
                        new.append(node)
                        self.tracker.add(node, "acc_del|non_tensor_output_with_cpu_user", user)
                        break
            if not new:
                return
            self.acc_nodes.difference_update(new)
            self.reduce_acc_nodes_non_tensor_input_helper(new)

    def __call__(self):
        submodules = dict(self.module.named_modules())
        self.acc_nodes = set()
        for node in self.module.graph.nodes:
            if node.op not in CALLABLE_NODE_OPS:
                self.tracker.add(node, "init_cpu|not_callable")
            elif not self.operator_support.is_node_supported(submodules, node):
                self.tracker.add(node, "init_cpu|operator_support")
            else:
                self.tracker.add(node, "init_acc|callable_and_operator_supported")
                self.acc_nodes.add(node)
        if not self.allow_non_tensor:
            self.reduce_acc_nodes_non_tensor_input()
            self.reduce_acc_nodes_non_tensor_output()
        self.tracker.dump()
        return self.acc_nodes


class FxNetSplitterInternalError(Exception):
    """The splitter has gone wrong."""


@dataclass
class Subgraph:
    """Nodes of one side that become one submodule."""

    is_acc: bool
    nodes: list
    device_ordinal: int | None = None


class SplitResult(NamedTuple):
    """The module of submodules, {submodule's name: its example inputs}, and how the names of those begin that the
    accelerator does not run."""

    split_module: torch.fx.GraphModule
    submodule_inputs: dict[str, Any]
    non_acc_submodule_prefix: str


def generate_inputs_for_submodules(model, inputs, target_submodules, deepcopy=False):
    """{name: what the submodule of this dotted name is called with, when the model is called with `inputs`}"""
    handles, results = [], {}
    names = {module: name for name, module in model.named_modules()}

    def note(module, module_inputs):
        results[names[module]] = copy.deepcopy(module_inputs) if deepcopy else module_inputs

    for name, module in model.named_modules():
        if name in target_submodules:
            handles.append(module.register_forward_pre_hook(note))
    try:
        with torch.no_grad():
            model(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    return results


class _SplitterBase:
    """Takes a GraphModule apart into submodules _run_on_acc_0, _run_on_cpu_1 and so on. Subclasses say how those of the
    accelerator are made for it (_lower_model_to_backend), and look for what fails (_find_culprit)."""

    PCIe_BW = 100 * 2**30

    def __init__(
        self,
        module,
        sample_input,
        operator_support,
        settings,
        non_acc_submodule_name="_run_on_cpu_",
        return_tuple=False,
        nodes_finder=None,
    ):
        if not isinstance(module, torch.fx.GraphModule):
            raise AssertionError(f"expected GraphModule, got {type(module).__name__}")
        self.module = module
        ShapeProp(self.module).propagate(*sample_input)
        self.settings, self.operator_support, self.sample_input = settings, operator_support, sample_input
        finder = nodes_finder or FxNetAccNodesFinder(module, operator_support, settings.allow_non_tensor)
        self.acc_nodes = finder()
        self.fusions = {} if settings.skip_fusion else FxNetAccFusionsFinder(module, self.acc_nodes)()
        self.deps = self.find_deps()
        self.update_deps_for_fusions()
        self.non_acc_submodule_name = non_acc_submodule_name
        self._return_tuple = return_tuple
        self.tags = []

    # ---- what depends on what ------------------------------------------------------------------------------
    def find_deps(self):
        """{node: the nodes that it takes for arguments}"""
        deps = defaultdict(set)
        for node in self.module.graph.nodes:
            if node.op in CALLABLE_NODE_OPS:
                for user in node.users:
                    if user.op != "output":
                        deps[user].add(node)
        return deps

    def update_deps_for_fusions(self):
        """A group depends on what one of its nodes depends on."""
        for node, group in self.fusions.items():
            for other in group:
                self.deps[node] |= self.deps[other] - group
            self.deps[node] -= {node}

    def find_reverse_deps(self, tag_id=None):
        """{node: the nodes that take it}, of the first `tag_id` tags' nodes or all."""
        known = set(self.tags[:tag_id]) if tag_id is not None else None
        result = {}
        for node in self.module.graph.nodes:
            if node.op in CALLABLE_NODE_OPS:
                users = {u for u in node.users if u.op in CALLABLE_NODE_OPS}
                result[node] = {u for u in users if known is None or getattr(u, "tag", None) in known}
        return result

    def update_reverse_deps_for_fusions(self, deps):
        """The same for groups."""
        for node, group in self.fusions.items():
            for other in group:
                deps[node] |= deps[other] - group
            deps[node] -= {node}

    def find_parent_nodes_of_subgraph(self, tag):
        """The nodes outside that a subgraph takes for arguments."""
        return {
            arg
            for node in self.module.graph.nodes
            if node.op in CALLABLE_NODE_OPS and getattr(node, "tag", None) == tag
            for arg in node.all_input_nodes
            if arg.op in CALLABLE_NODE_OPS and getattr(arg, "tag", None) != tag
        }

    def extend_acc_subgraph(self, tag):
        """Draws into an accelerator's subgraph the nodes before it whose only users are in it."""
        reverse = self.find_reverse_deps()
        self.update_reverse_deps_for_fusions(reverse)
        parents = self.find_parent_nodes_of_subgraph(tag)
        while parents:
            node = next((n for n in parents if n in self.acc_nodes), None)
            if node is None:
                return
            parents.remove(node)
            group = self.fusions.get(node, {node})
            if all(user.tag == tag for n in group for user in reverse[n] - group):
                for n in group:
                    n.tag = tag
                parents = self.find_parent_nodes_of_subgraph(tag) - {node}

    # ---- subgraphs -----------------------------------------------------------------------------------------
    def starter_nodes(self):
        """(nodes outside, nodes of the accelerator) that take placeholders."""
        outside, inside = set(), set()
        for node in self.module.graph.nodes:
            if node.op == "placeholder":
                for user in node.users:
                    (inside if user in self.acc_nodes else outside).add(user)
        return outside, inside

    def put_nodes_into_subgraphs(self):
        """The subgraphs, in an order in which they can run; of each side as much as possible at once."""
        pending = [n for n in self.module.graph.nodes if n.op in CALLABLE_NODE_OPS]
        done, subgraphs = set(), []
        is_acc = bool(pending) and pending[0] in self.acc_nodes
        while pending:
            nodes = []
            moved = True
            while moved:
                moved = False
                for node in pending:
                    group = self.fusions.get(node, {node})
                    wanted = {d for n in group for d in self.deps[n]} - group
                    if (node in self.acc_nodes) is is_acc and node not in done and wanted <= done:
                        added = [n for n in pending if n in group and n not in done]
                        nodes += added
                        done.update(added)
                        moved = True
                pending = [n for n in pending if n not in done]
            if nodes:
                order = self.module.graph._positions()
                subgraphs.append(Subgraph(is_acc=is_acc, nodes=sorted(nodes, key=order.__getitem__)))
            elif len(subgraphs) and subgraphs[-1].is_acc is not is_acc:
                both = any((n in self.acc_nodes) is not is_acc for n in pending)
                if not both:
                    raise FxNetSplitterInternalError(f"{pending} depend on each other")
            is_acc = not is_acc
        if not subgraphs and self.module.graph.find_nodes(op="call_module"):
            raise FxNetSplitterInternalError("Couldn't create subgraphs")
        return subgraphs

    def remove_small_acc_subgraphs(self, subgraphs):
        """Accelerator's subgraphs that are too small go to the other side, and merge with their neighbours."""
        result = []
        for subgraph in subgraphs:
            if subgraph.is_acc and len(subgraph.nodes) >= self.settings.min_acc_module_size:
                result.append(subgraph)
            elif result and not result[-1].is_acc:
                result[-1].nodes.extend(subgraph.nodes)
            else:
                subgraph.is_acc = False
                result.append(subgraph)
        return result

    def tag(self, subgraphs):
        """Gives the nodes the names of their subgraphs."""
        self.tags = []
        for subgraph in subgraphs:
            number = len(self.tags)
            tag = f"_run_on_acc_{number}" if subgraph.is_acc else f"{self.non_acc_submodule_name}{number}"
            self.tags.append(tag)
            for node in subgraph.nodes:
                if hasattr(node, "tag"):
                    raise FxNetSplitterInternalError(f"Node {node} was already tagged")
                node.tag = tag

    def split(self, remove_tag=False):
        """The module of submodules."""
        made = split_by_tags(self.module, self.tags, return_tuple=self._return_tuple)
        if remove_tag:
            for node in self.module.graph.nodes:
                if hasattr(node, "tag"):
                    del node.tag
        return made

    def _subgraphs(self):
        subgraphs = self.remove_small_acc_subgraphs(self.put_nodes_into_subgraphs())
        if self.settings.move_non_tensor_nodes_on_boundary:
            move_non_tensor_nodes_on_boundary(subgraphs)
            subgraphs = [s for s in subgraphs if s.nodes]
        acc = sum(s.is_acc for s in subgraphs)
        if 0 < self.settings.max_acc_splits < acc:
            raise ValueError(
                f"Cannot fulfill max_acc_splits limit: the graph needs {acc} submodules for the accelerator, and "
                f"max_acc_splits is {self.settings.max_acc_splits}"
            )
        return subgraphs

    def __call__(self):
        subgraphs = self._subgraphs()
        non_acc = sum(not s.is_acc for s in subgraphs)
        print(f"Got {len(subgraphs) - non_acc} acc subgraphs and {non_acc} non-acc subgraphs")
        self.tag(subgraphs)
        return self.split()

    def generate_split_results(self):
        """The module, with example inputs of its submodules."""
        made = self()
        names = [name for name, _ in made.named_children()]
        inputs = generate_inputs_for_submodules(made, self.sample_input, names)
        return SplitResult(made, inputs, self.non_acc_submodule_name)

    def get_node_submodule_map(self):
        """{node's name: its submodule's}"""
        return {n.name: n.tag for n in self.module.graph.nodes if hasattr(n, "tag")}

    # ---- reports -------------------------------------------------------------------------------------------
    def _lower_model_to_backend(self, mod, inputs):
        """The submodule made for the accelerator: itself, unless a subclass says otherwise."""
        return mod

    def _find_culprit(self, mod, inputs):
        return "Unable to find a culprit because _find_culprit() function is not implemented."

    def _draw_graph_based_on_node_support(self, mod, supported_nodes):
        from torch.fx.passes.graph_drawer import dot_source

        with open("node_support.dot", "w") as file:
            file.write(dot_source(mod, "node_support", marked={n.name for n in supported_nodes}))

    def node_support_preview(self, dump_graph=False):
        """Which operators can be run, as text."""
        submodules = dict(self.module.named_modules())
        rows = {True: {}, False: {}}
        supported = []
        for node in self.module.graph.nodes:
            if node.op in CALLABLE_NODE_OPS:
                found = self.operator_support.is_node_supported(submodules, node)
                if found:
                    supported.append(node)
                dtypes = tuple(str(getattr(a.meta.get("tensor_meta"), "dtype", None)) for a in node.all_input_nodes)
                rows[found].setdefault(f"{node._pretty_print_target(node.target)}: {dtypes}")
        if dump_graph:
            self._draw_graph_based_on_node_support(self.module, supported)
        text = "\nSupported node types in the model:\n" + "".join(f"{row}\n" for row in sorted(rows[True]))
        return text + "\nUnsupported node types in the model:\n" + "".join(f"{row}\n" for row in sorted(rows[False]))

    def split_preview(self, dump_graph=False):
        """What the submodules will be, as text."""
        subgraphs = self._subgraphs()
        acc = [s for s in subgraphs if s.is_acc]
        text = f"Before removing small acc subgraphs, total {len(subgraphs)} subgraphs are created: {len(acc)} acc "
        text += f"subgraphs and {len(subgraphs) - len(acc)} cpu subgraphs.\n"
        for i, subgraph in enumerate(subgraphs):
            name = f"_run_on_acc_{i}" if subgraph.is_acc else f"{self.non_acc_submodule_name}{i}"
            text += f"{name}: {len(subgraph.nodes)} node(s)\n"
            if subgraph.is_acc:
                size = sum(
                    get_size_of_node(self.module, n).output_size
                    for n in subgraph.nodes
                    if is_node_output_tensor(n) and any(u not in subgraph.nodes for u in n.users)
                )
                text += f"  {size} bytes of results, {size / self.PCIe_BW:.3g} s at {self.PCIe_BW / 2**30:g} GiB/s\n"
        if dump_graph:
            self._draw_graph_based_on_node_support(self.module, list(self.acc_nodes))
        return text
