"""What is useful around torch: collect_env describes an installation, cpp_extension builds extensions, data loads
datasets in batches, dlpack and safetensors exchange tensors with others."""

import os

# For CMake's find_package(Torch): -DCMAKE_PREFIX_PATH="$(python -c 'import torch.utils as u; print(u.cmake_prefix_path)')"
cmake_prefix_path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "share", "cmake")


# Where names of this module are, which are loaded when they are first used.
_LATER = {
    "ThroughputBenchmark": "throughput_benchmark",
    "generate_methods_for_privateuse1_backend": "_names",
    "get_cpp_backtrace": "_names",
    "rename_privateuse1_backend": "_names",
    "set_module": "_names",
    "swap_tensors": "_swap",
}


def __getattr__(name):
    if name in _LATER:
        import importlib

        value = globals()[name] = getattr(importlib.import_module(f"torch.utils.{_LATER[name]}"), name)
        return value
    if name in (
        "_python_dispatch",
        "_pytree",
        "backcompat",
        "checkpoint",
        "data",
        "dlpack",
        "hooks",
        "model_zoo",
        "safetensors",
    ):
        import importlib

        return importlib.import_module(f"torch.utils.{name}")
    raise AttributeError(f"module 'torch.utils' has no attribute '{name}'")


def __dir__():
    return sorted({*globals(), *_LATER})
