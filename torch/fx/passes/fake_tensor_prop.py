"""Values of a graph without memory."""

import torch
from torch.fx.interpreter import Interpreter
from torch.fx.node import map_aggregate

__all__ = ["FakeTensorProp"]


class FakeTensorProp(Interpreter):
    """Runs a graph with tensors on the device "meta", which have no memory, and notes them in ``node.meta["val"]``. (This
    torch has no FakeTensorMode: a `mode` is refused.)"""

    def __init__(self, module, mode=None):
        super().__init__(module)
        if mode is not None:
            raise NotImplementedError("FakeTensorProp(mode=…): this torch has no FakeTensorMode; leave it out")

    def run_node(self, n):
        result = super().run_node(n)
        n.meta["val"] = map_aggregate(result, lambda x: x)
        n.meta["type"] = type(result)
        return result

    def fetch_attr(self, target):
        return _on_meta(super().fetch_attr(target))

    def call_module(self, target, args, kwargs):
        module = Interpreter.fetch_attr(self, target)
        state = {k: _on_meta(v) for k, v in (*module.named_parameters(), *module.named_buffers())}
        return torch.nn.utils.stateless.functional_call(module, state, args, kwargs)

    def propagate(self, *args):
        """Runs the graph with tensors like the given ones."""
        return self.propagate_dont_convert_inputs(*map_aggregate(args, _on_meta))

    def propagate_dont_convert_inputs(self, *args):
        """Runs the graph with these tensors."""
        return super().run(*args)


def _on_meta(x):
    return x.to("meta") if isinstance(x, torch.Tensor) else x
