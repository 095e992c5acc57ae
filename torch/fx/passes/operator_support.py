"""Which nodes a backend can run."""

import abc
import typing

import torch
from torch.fx.passes.tools_common import CALLABLE_NODE_OPS, get_node_target

__all__ = ["OpSupports", "OperatorSupport", "OperatorSupportBase", "any_chain", "chain", "create_op_support"]

TargetTypeName = str
SupportedArgumentDTypes = tuple | None
SupportDict = typing.Mapping[TargetTypeName, SupportedArgumentDTypes]
Submodules = typing.Mapping[str, torch.nn.Module]
IsNodeSupported = typing.Callable[[Submodules, torch.fx.Node], bool]


class OperatorSupportBase(abc.ABC):
    """Says of a node whether it can be run."""

    @abc.abstractmethod
    def is_node_supported(self, submodules, node):
        """Whether it can; `submodules` is {dotted name: module}."""


def _get_arg_dtype(arg):
    """The dtype that shape propagation has found."""
    meta = arg.meta.get("tensor_meta")
    if meta is None:
        meta = arg.meta.get("val")
    return getattr(meta, "dtype", None)


class OperatorSupport(OperatorSupportBase):
    """By a table: {what a node calls: None, or (dtypes that each positional argument may have, {keyword: dtypes})}."""

    def __init__(self, support_dict=None):
        self._support_dict = support_dict or {}

    def is_node_supported(self, submodules, node):
        if node.op not in CALLABLE_NODE_OPS:
            return True
        target = get_node_target(submodules, node)
        if target not in self._support_dict:
            return False
        wanted = self._support_dict[target]
        if wanted is None:
            return True
        by_position, by_name = wanted
        for i, dtypes in enumerate(by_position):
            if len(node.args) <= i:
                break
            if isinstance(node.args[i], torch.fx.Node) and _get_arg_dtype(node.args[i]) not in dtypes:
                return False
        return all(
            not isinstance(node.kwargs.get(name), torch.fx.Node) or _get_arg_dtype(node.kwargs[name]) in dtypes
            for name, dtypes in by_name.items()
        )


def create_op_support(is_node_supported):
    """An OperatorSupportBase of a function (submodules, node) -> bool."""

    class FunctionalOperatorSupport(OperatorSupportBase):
        def is_node_supported(self, submodules, node):
            return is_node_supported(submodules, node)

    return FunctionalOperatorSupport()


def chain(*op_support):
    """What all of these can run."""
    return create_op_support(lambda submodules, node: all(x.is_node_supported(submodules, node) for x in op_support))


def any_chain(*op_support):
    """What one of these can run."""
    return create_op_support(lambda submodules, node: any(x.is_node_supported(submodules, node) for x in op_support))


class OpSupports:
    """Conditions to chain."""

    @classmethod
    def decline_if_input_dtype(cls, dtype):
        """Not with an argument of this dtype."""

        def supported(submodules, node):
            return all(_get_arg_dtype(arg) != dtype for arg in node.all_input_nodes)

        return create_op_support(supported)

    @classmethod
    def decline_if_node_in_names(cls, disallow_set):
        """Not the nodes of these names."""
        return create_op_support(lambda submodules, node: node.name not in disallow_set)
