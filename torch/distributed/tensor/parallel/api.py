"""parallelize_module()."""

from __future__ import annotations

import fnmatch
import warnings

from torch._absent import rest_of
from torch.distributed.device_mesh import _mesh_resources
from torch.distributed.tensor.parallel.style import ParallelStyle

__all__ = ["parallelize_module"]


def parallelize_module(module, device_mesh=None, parallelize_plan=None, *, src_data_rank: int | None = 0):
    """The module with parameters spread over a mesh of one dimension, as a ParallelStyle says, or {path: ParallelStyle},
    whose paths may have wildcards as of files."""
    mesh = device_mesh or _mesh_resources.get_current_mesh()
    if parallelize_plan is None:
        warnings.warn("parallelize_module() without a plan changes nothing", stacklevel=2)
        return module
    if mesh.ndim != 1:
        raise ValueError(f"a module is spread over a mesh of one dimension, not {mesh.ndim}: take a slice of it")
    if isinstance(parallelize_plan, ParallelStyle):
        parallelize_plan.src_data_rank = src_data_rank
        return parallelize_plan._apply(module, mesh)
    if not isinstance(parallelize_plan, dict):
        raise TypeError(f"a plan is a ParallelStyle or a dict of them, not {type(parallelize_plan).__name__}")
    for path, style in parallelize_plan.items():
        if path == "":
            parallelize_module(module, mesh, style, src_data_rank=src_data_rank)
            continue
        first, _, rest = path.partition(".")
        found = [child for name, child in module.named_children() if fnmatch.fnmatch(name, first)]
        if not found:
            warnings.warn(f"the plan names {path!r}, and the module has no child {first!r}", stacklevel=2)
        for child in found:
            parallelize_module(child, mesh, {rest: style} if rest else style, src_data_rank=src_data_rank)
    return module


__getattr__, __dir__ = rest_of(__name__)
