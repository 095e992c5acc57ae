"""Parts of a graph for CUDA graphs."""

import operator

import torch
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupport
from torch.fx.passes.tools_common import CALLABLE_NODE_OPS
from torch.utils import _pytree as pytree

__all__ = ["CudaGraphsSupport", "partition_cudagraphs"]


class CudaGraphsSupport(OperatorSupport):
    """Nodes whose arguments and values are all on a CUDA device."""

    def is_node_supported(self, submodules, node):
        if node.op not in CALLABLE_NODE_OPS:
            return False
        if node.target is operator.getitem:
            return True
        tensors = [t for t in pytree.tree_leaves([_value(n) for n in (node, *node.all_input_nodes)]) if t is not None]
        return bool(tensors) and all(
            getattr(t, "fx_device", getattr(t, "device", None)).type == "cuda" for t in tensors
        )


def _value(node):
    return node.meta.get("val")


def partition_cudagraphs(gm, inputs):
    """Makes submodules of what runs on a CUDA device, as the given inputs show."""
    if all(isinstance(x, torch.Tensor) and x.is_cuda for x in inputs):
        FakeTensorProp.propagate_dont_convert_inputs(FakeTensorProp(gm), *inputs)
    return CapabilityBasedPartitioner(gm, CudaGraphsSupport(), allows_single_node_partition=True).partition_and_fuse()
