"""GraphModules as tracers make them; and those that generate their code when they are first called."""

import contextlib

from torch.fx.graph_module import GraphModule

_use_lazy_graph_module_flag = False
_force_skip_lazy_graph_module_flag = False


@contextlib.contextmanager
def _force_skip_lazy_graph_module():
    global _force_skip_lazy_graph_module_flag
    before, _force_skip_lazy_graph_module_flag = _force_skip_lazy_graph_module_flag, True
    try:
        yield
    finally:
        _force_skip_lazy_graph_module_flag = before


@contextlib.contextmanager
def _use_lazy_graph_module(should_use):
    """A context in which tracers make modules that generate their code when they are first called."""
    global _use_lazy_graph_module_flag
    before = _use_lazy_graph_module_flag
    _use_lazy_graph_module_flag = should_use and not _force_skip_lazy_graph_module_flag
    try:
        yield
    finally:
        _use_lazy_graph_module_flag = before


def _get_graph_module_cls():
    return _LazyGraphModule if _use_lazy_graph_module_flag else GraphModule


def _make_graph_module(*args, graph_module_cls=None, **kwargs):
    return (graph_module_cls or _get_graph_module_cls())(*args, **kwargs)


class _LazyGraphModule(GraphModule):
    """A GraphModule that generates its code when it is needed."""

    @classmethod
    def from_graphmodule(cls, gm):
        if isinstance(gm, _LazyGraphModule):
            return gm
        return cls(gm, gm.graph)

    @staticmethod
    def force_recompile(gm):
        if isinstance(gm, _LazyGraphModule):
            gm.real_recompile()

    @classmethod
    def _needs_recompile(cls):
        return cls.forward is cls._lazy_forward

    def _lazy_forward(self, *args, **kwargs):
        self.real_recompile()
        if type(self).forward is type(self)._lazy_forward:
            raise AssertionError("the code of a _LazyGraphModule has not been generated")
        return self(*args, **kwargs)

    forward = _lazy_forward

    def real_recompile(self):
        if self._needs_recompile():
            GraphModule.recompile(self)

    def recompile(self):
        type(self).forward = type(self)._lazy_forward

    @property
    def code(self):
        self.real_recompile()
        return super().code

    def __reduce__(self):
        self.real_recompile()
        return super().__reduce__()

    def __str__(self):
        self.real_recompile()
        return super().__str__()
