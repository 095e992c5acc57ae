"""Passes: functions that look at graphs and change them."""

import importlib

_MODULES = (
    *("annotate_getitem_nodes", "backends", "dialect", "fake_tensor_prop", "graph_drawer", "graph_manipulation"),
    *("graph_transform_observer", "infra", "net_min_base", "operator_support", "param_fetch", "pass_manager"),
    *("regional_inductor", "reinplace", "runtime_assert", "shape_prop", "split_module", "split_utils", "splitter_base"),
    *("tools_common", "utils"),
)


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"torch.fx.passes.{name}")
    raise AttributeError(f"module 'torch.fx.passes' has no attribute '{name}'")
