"""torch._VF: the functions of torch by the name that programs call them by which want no wrapper of Python's."""

import sys
import types

import torch


class VFModule(types.ModuleType):
    """Its attributes are torch's."""

    def __getattr__(self, name):
        return getattr(torch, name)


sys.modules[__name__] = VFModule(__name__, __doc__)
