"""What is useful around torch: collect_env describes an installation, cpp_extension builds extensions, data loads
datasets in batches, dlpack and safetensors exchange tensors with others."""

import os

# For CMake's find_package(Torch): -DCMAKE_PREFIX_PATH="$(python -c 'import torch.utils as u; print(u.cmake_prefix_path)')"
cmake_prefix_path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "share", "cmake")


def set_module(obj, mod):
    """Says of a class or function that it is of the module `mod`, a str."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def __getattr__(name):
    if name == "swap_tensors":
        from torch.utils._swap import swap_tensors

        return swap_tensors
    if name in ("_pytree", "backcompat", "checkpoint", "data", "dlpack", "hooks", "model_zoo", "safetensors"):
        import importlib

        return importlib.import_module(f"torch.utils.{name}")
    raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")
