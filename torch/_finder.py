"""Modules of PyTorch's that have no file here: torch._absent makes those that it knows, when they are imported."""

import sys

from torch import _C


class AbsentModules:
    """Asked last, where no file has been found; what does not begin with "torch." costs one comparison."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        if not fullname.startswith("torch."):
            return None
        from torch._absent import spec_of

        return spec_of(fullname)


sys.meta_path.append(AbsentModules)


# The same for names of torch._C, of which PyTorch has more.
def _further(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch._C' has no attribute '{name}'")
    from torch._c_names import find

    return find(name)


def _further_nn(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch._C._nn' has no attribute '{name}'")
    from torch._c_names import find_nn

    return find_nn(name)


_C.__path__ = []  # a package for the import statement: torch._C._distributed_c10d
_C.__getattr__ = _further
_C._nn.__getattr__ = _further_nn
