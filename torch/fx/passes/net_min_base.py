"""Finding the smallest part of a graph for which two ways of running it differ."""

import logging
from dataclasses import dataclass

import torch
from torch.fx.passes.shape_prop import ShapeProp
from torch.fx.passes.split_utils import split_by_tags
from torch.fx.passes.splitter_base import generate_inputs_for_submodules
from torch.fx.passes.tools_common import CALLABLE_NODE_OPS, FxNetAccFusionsFinder

__all__ = ["FxNetMinimizerBadModuleError", "FxNetMinimizerResultMismatchError", "FxNetMinimizerRunFuncError"]

logger = logging.getLogger(__name__)


class FxNetMinimizerBadModuleError(Exception):
    """A part could not be split off."""


class FxNetMinimizerRunFuncError(Exception):
    """A way of running raised."""


class FxNetMinimizerResultMismatchError(Exception):
    """The two results differ."""


@dataclass
class _MinimizerSettingBase:
    accumulate_error: bool = False  # inputs of a part are what run_a has computed so far, not the exact ones
    traverse_method: str = "sequential"  # or "binary", "accumulate", "skip", "defined", "block"
    find_all: bool = False
    return_intermediate: bool = False
    all_outputs: bool = False

    def __str__(self):
        return "FX Minimizer Settings:\n" + "".join(f"\t{key}: {value}\n" for key, value in vars(self).items())


class _MinimizerBase:
    """Runs parts of a GraphModule in two ways, run_a and run_b, which subclasses define, and compares:
    ``compare_fn(a, b, names) -> (number, whether they agree)``. minimize() returns the nodes where they do not."""

    def __init__(self, module, sample_input, compare_fn, settings, module_exporter=None, exclusion_fn=None):
        if not isinstance(module, torch.fx.GraphModule):
            raise AssertionError(f"expected GraphModule, got {type(module).__name__}")
        names = [n.target for n in module.graph.nodes if n.op == "placeholder"]
        if len(names) != len(sample_input):
            raise ValueError(f"the module has {len(names)} inputs, {len(sample_input)} are given: {names}")
        self.module, self.sample_input, self.compare_fn = module, sample_input, compare_fn
        self.settings, self.module_exporter, self.exclusion_fn = settings, module_exporter, exclusion_fn
        self.a_outputs, self.b_outputs, self.results = {}, {}, {}
        self.reports, self.iteration = [], 0
        nodes = {n for n in module.graph.nodes if n.op in CALLABLE_NODE_OPS}
        self.run_shape_prop()
        self.fusions = FxNetAccFusionsFinder(module, nodes)()
        self.a_outputs.update(zip(names, sample_input))
        self.b_outputs.update(zip(names, sample_input))

    # ---- what subclasses define ----------------------------------------------------------------------------
    def run_shape_prop(self):
        """Finds the values' shapes."""
        ShapeProp(self.module).propagate(*self.sample_input)

    def run_a(self, mod, inputs, report_idx=-1):
        """The first way."""
        raise RuntimeError("run_a() is not implemented.")

    def run_b(self, mod, inputs, report_idx=-1):
        """The second way."""
        raise RuntimeError("run_b() is not implemented.")

    # ---- one part ------------------------------------------------------------------------------------------
    def _store_outputs(self, a_result, b_result, submodule):
        output = submodule.graph.output_node().args[0]
        names = [n.name for n in (output if isinstance(output, (list, tuple)) else [output])]
        for store, result in ((self.a_outputs, a_result), (self.b_outputs, b_result)):
            store.update(zip(names, result if isinstance(result, (list, tuple)) else [result]))

    def _get_submod_inputs(self, main_module, submod_path):
        """(inputs for run_a, inputs for run_b)"""
        submodule = main_module.get_submodule(submod_path)
        if self.settings.accumulate_error:
            names = [n.target for n in submodule.graph.nodes if n.op == "placeholder"]
            if all(name in self.a_outputs and name in self.b_outputs for name in names):
                return [self.a_outputs[n] for n in names], [self.b_outputs[n] for n in names]
        inputs = generate_inputs_for_submodules(main_module, self.sample_input, [submod_path])[submod_path]
        return inputs, inputs

    def _tag_nodes(self, selected_nodes):
        for node in self.module.graph.nodes:
            if node.op in CALLABLE_NODE_OPS:
                later = any(getattr(a, "tag", "") in ("minimize", "main_1") for a in node.all_input_nodes)
                node.tag = "minimize" if node in selected_nodes else "main_1" if later else "main_0"

    def _build_submodule(self, nodes):
        """(a module of submodules, the name of that with these nodes)"""
        self._tag_nodes(nodes)
        tags = [
            t
            for t in ("main_0", "minimize", "main_1")
            if any(getattr(n, "tag", "") == t for n in self.module.graph.nodes)
        ]
        try:
            made = split_by_tags(self.module, tags)
        except AssertionError as error:
            raise FxNetMinimizerBadModuleError(
                f"the nodes {sorted(n.name for n in nodes)} cannot be one part: {error}"
            ) from error
        if not isinstance(getattr(made, "minimize", None), torch.fx.GraphModule):
            raise FxNetMinimizerBadModuleError(f"Did not find a submodule of the nodes {sorted(n.name for n in nodes)}")
        return made, "minimize"

    def _run_and_compare(self, split_module, submod_name, output_names, report_idx=-1):
        submodule = getattr(split_module, submod_name)
        a_input, b_input = self._get_submod_inputs(split_module, submod_name)
        if self.module_exporter:
            self.module_exporter(a_input, submodule, f"{submod_name}_cpu")
            self.module_exporter(b_input, submodule, f"{submod_name}_acc")
        a_result = self.run_a(submodule, a_input, report_idx)
        b_result = self.run_b(submodule, b_input, report_idx)
        self._store_outputs(a_result, b_result, submodule)
        names = output_names or [str(v) for v in submodule.graph.output_node().all_input_nodes]
        number, agree = self.compare_fn(a_result, b_result, tuple(names))
        self.results[tuple(names)] = number
        if not agree:
            raise FxNetMinimizerResultMismatchError(f"Result mismatch for {tuple(names)}: {number}")

    def _differs(self, nodes, names=None):
        """Whether the two ways differ for these nodes, as one part."""
        selected = set(nodes)
        for node in list(selected):
            selected |= self.fusions.get(node, set())
        report = [f"Nodes {sorted(n.name for n in selected)}"]
        self.reports.append(report)
        self.iteration += 1
        try:
            split, name = self._build_submodule(selected)
            self._run_and_compare(split, name, names, len(self.reports) - 1)
        except (FxNetMinimizerRunFuncError, FxNetMinimizerResultMismatchError) as error:
            report.append(str(error))
            self.print_report(report)
            return selected
        report.append("Passed")
        return set()

    # ---- ways through the graph ----------------------------------------------------------------------------
    def _excluded(self, nodes, start=0, end=None):
        if self.exclusion_fn is not None:
            self.exclusion_fn(nodes, start, len(nodes) if end is None else end)
        return nodes

    def _binary_search_impl(self, all_nodes, start_idx, end_idx):
        nodes = self._excluded(all_nodes[start_idx:end_idx])
        if not nodes:
            return set()
        found = self._differs(nodes)
        if not found or len(nodes) == 1:
            return found
        middle = start_idx + len(nodes) // 2
        result = self._binary_search_impl(all_nodes, start_idx, middle)
        if result and not self.settings.find_all:
            return result
        result |= self._binary_search_impl(all_nodes, middle, end_idx)
        return result or found

    def _binary_traverse(self, nodes):
        return self._binary_search_impl(nodes, 0, len(nodes))

    def _sequential_traverse(self, nodes):
        culprits = set()
        for node in nodes:
            culprits |= self._differs(self._excluded([node]))
            if culprits and not self.settings.find_all:
                break
        return culprits

    def _accumulate_traverse(self, nodes):
        if not self.settings.accumulate_error:
            print("accumulate_traverse needs the setting accumulate_error")
            return set()
        culprits, taken = set(), []
        for node in nodes:
            taken.append(node)
            if self._differs([node]):
                culprits.add(node)
                if not self.settings.find_all:
                    break
        return culprits

    def _defined_traverse(self, nodes):
        return self._differs(self._excluded(nodes))

    def _skip_traverse_impl(self, all_nodes, start_idx, end_idx):
        return self._differs(self._excluded(all_nodes[start_idx:end_idx]))

    def _skip_traverse(self, all_nodes, skip_nodes):
        """Runs the stretches between the nodes that are skipped."""
        culprits, start = set(), 0
        for i, node in enumerate(all_nodes):
            if node.name in skip_nodes:
                if i > start:
                    culprits |= self._skip_traverse_impl(all_nodes, start, i)
                start = i + 1
        if start < len(all_nodes):
            culprits |= self._skip_traverse_impl(all_nodes, start, len(all_nodes))
        return culprits

    def _block_traverse_impl(self, nodes, start_idx, end_idx, find_last_node):
        """The shortest stretch from the beginning, or to the end, that differs: by halving."""
        low, high = start_idx, end_idx
        while low < high:
            middle = (low + high) // 2
            part = nodes[: middle + 1] if find_last_node else nodes[middle:]
            if bool(self._differs(part)) is find_last_node:
                high = middle
            else:
                low = middle + 1
        index = low if find_last_node else low - 1
        return {nodes[index]} if 0 <= index < len(nodes) else set()

    def _block_traverse(self, nodes, find_last_node):
        culprits = set()
        if not self._differs(nodes):
            return culprits
        for last in (True, False) if find_last_node is None else (find_last_node,):
            culprits |= self._block_traverse_impl(nodes, 0, len(nodes) - 1, last)
        return culprits

    def _collect_nodes(self, start, end):
        """The nodes from one name to the other."""
        nodes, adding = [], start is None
        for node in self.module.graph.nodes:
            if node.op not in CALLABLE_NODE_OPS:
                continue
            adding |= node.name == start
            if adding:
                nodes.append(node)
            if node.name == end:
                break
        return nodes

    def run_nodes(self, start=None, end=None):
        """Runs the nodes from one name to the other as one part, in both ways. Raises where they differ."""
        nodes = self._collect_nodes(start, end)
        split, name = self._build_submodule(set(nodes))
        self._run_and_compare(split, name, [])

    def minimize(self, start=None, end=None, skip_nodes=None, find_last_node=None):
        """The nodes for which the two ways differ, found as the settings say."""
        print(self.settings)
        nodes = self._collect_nodes(start, end)
        method = self.settings.traverse_method
        if method == "skip":
            if skip_nodes is None:
                raise RuntimeError("'skip_nodes' can't be None when 'traverse_method' is 'skip'.")
            return self._skip_traverse(nodes, skip_nodes)
        if method == "block":
            return self._block_traverse(nodes, find_last_node)
        ways = {
            "sequential": self._sequential_traverse,
            "binary": self._binary_traverse,
            "accumulate": self._accumulate_traverse,
            "defined": self._defined_traverse,
        }
        if method not in ways:
            raise RuntimeError(f"Unknown traverse method {method}!")
        return ways[method](nodes)

    def print_report(self, report):
        """Shows what was found of a part."""
        for line in report:
            logger.info(line)

    def print_reports(self):
        """Shows what was found of all parts."""
        for report in self.reports:
            self.print_report(report)
