"""Neural networks: modules, their parameters, functions, initial values and utilities.

Modules live in torch/nn/modules, functions in torch/nn/_functional; what has no kernel is composed of torch's operators, whose
gradients autograd records.
"""

from torch.nn import (
    functional as functional,
    init as init,
    modules as modules,
    parallel as parallel,
    parameter as parameter,
    utils as utils,
)
from torch.nn.modules import *  # noqa: F403 - all of its modules
from torch.nn.modules.module import Module as Module
from torch.nn.parallel import DataParallel as DataParallel
from torch.nn.parameter import (
    Buffer as Buffer,
    Parameter as Parameter,
    UninitializedBuffer as UninitializedBuffer,
    UninitializedParameter as UninitializedParameter,
)


def factory_kwargs(kwargs):
    """The arguments device, dtype and memory_format for making tensors, of a module's keyword arguments: those in kwargs
    itself, and in its "factory_kwargs". TypeError for others, and for one that is given twice."""
    if kwargs is None:
        return {}
    known = {"device", "dtype", "memory_format"}
    unknown = set(kwargs) - known - {"factory_kwargs"}
    if unknown:
        raise TypeError(f"unexpected kwargs {unknown}")
    result = dict(kwargs.get("factory_kwargs", {}))
    for name in known & set(kwargs):
        if name in result:
            raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
        result[name] = kwargs[name]
    return result


TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.nn import attention as attention, common_types as common_types, grad as grad

if not TYPE_CHECKING:

    def __getattr__(name):
        if name in (
            "_functions",
            "attention",
            "backends",
            "common_types",
            "grad",
            "intrinsic",
            "qat",
            "quantizable",
            "quantized",
        ):
            import importlib

            return importlib.import_module(f"torch.nn.{name}")
        raise AttributeError(f"module 'torch.nn' has no attribute '{name}'")
