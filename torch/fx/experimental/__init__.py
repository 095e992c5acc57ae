"""Passes for inference, and what else is built on graphs."""

import importlib

_MODULES = (
    "accelerator_partitioner",
    "const_fold",
    "debug",
    "graph_gradual_typechecker",
    "merge_matmul",
    "meta_tracer",
    "normalize",
    "optimization",
    "partitioner_utils",
    "proxy_tensor",
    "refinement_types",
    "rewriter",
    "schema_type_annotation",
    "symbolic_shapes",
    "unification",
    "unify_refinements",
)


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"torch.fx.experimental.{name}")
    raise AttributeError(f"module 'torch.fx.experimental' has no attribute '{name}'")
