"""Shapes and dtypes of a graph's values."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.fx.graph_module import GraphModule
    from torch.fx.node import Node


__all__ = ["ShapeProp", "TensorMetadata"]


class TensorMetadata(NamedTuple):
    """What is known of a tensor."""

    shape: torch.Size
    dtype: torch.dtype
    requires_grad: bool
    stride: tuple
    memory_format: torch.memory_format | None
    is_quantized: bool
    qparams: dict[str, Any]


def _extract_tensor_metadata(result, include_contiguity=True):
    """The TensorMetadata of a tensor."""
    memory_format = None
    if include_contiguity:
        formats = {torch.contiguous_format}
        if result.dim() in (4, 5):
            formats = (
                torch.contiguous_format,
                torch.channels_last if result.dim() == 4 else torch.channels_last_3d,
            )
        memory_format = next((form for form in formats if result.is_contiguous(memory_format=form)), None)
    return TensorMetadata(
        result.shape, result.dtype, result.requires_grad, tuple(result.stride()), memory_format, result.is_quantized, {}
    )


class ShapeProp(Interpreter):
    """Runs a graph and notes in ``node.meta["tensor_meta"]`` the TensorMetadata of each value, or a structure of them,
    and in ``node.meta["type"]`` its type: ``ShapeProp(module).propagate(*inputs)``. Inputs on the device "meta" have no
    memory and cost none."""

    def __init__(self, gm: GraphModule, fake_mode: Any = None) -> None:
        super().__init__(gm)
        if fake_mode is not None:
            raise NotImplementedError(
                "ShapeProp(fake_mode=…): this torch has no fake tensors; inputs on the device 'meta' do the same"
            )
        self.fake_module, self.fake_mode, self.real_module = None, None, self.module

    def run_node(self, n: Node) -> Any:
        try:
            result = super().run_node(n)
        except Exception as error:
            raise RuntimeError(f"ShapeProp error for: node={n.format_node()} with meta={n.meta}") from error
        found = False

        def metadata(x):
            nonlocal found
            if isinstance(x, torch.Tensor):
                found = True
                return _extract_tensor_metadata(x)
            return x

        meta = map_aggregate(result, metadata)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args: Any) -> Any:
        """Runs the graph. What it returns is returned."""
        return super().run(*args)
