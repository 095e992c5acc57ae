"""What `torch` offers besides, found at first use: modules that few programs need, PyTorch's checks and symbolic numbers,
operators on lists, and the names of what torch._C has in PyTorch and not here."""

import importlib
import sys

import torch

_MODULES = """_dynamo _foreach _higher_order_ops _inductor _subclasses ao export func futures hub legacy masked mtia
    onnx package quantization sparse""".split()

# {module: the names that it has for torch}
_PLACES = {
    "_checks": """_assert_async _assert_scalar _check _check_index cudnn_is_acceptable dequantize frobenius_norm init_num_threads
        is_distributed is_vulkan_available nuclear_norm sym_constrain_range sym_constrain_range_for_size  _check_is_size _check_not_implemented _check_tensor_all
        _check_tensor_all_with _check_type _check_value _check_with _shape_as_tensor""",
    "_symbolic": "SymBool SymFloat SymInt sym_float sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum",
    "_quantized": """bit bits16 bits1x8 bits2x4 bits4x2 bits8 classes float4_e2m1fn_x2 float8_e8m0fnu
        int1 int2 int3 int4 int5 int6 int7 per_channel_affine per_channel_affine_float_qparams per_channel_symmetric
        per_tensor_affine per_tensor_symmetric qint32 qint8 qscheme quint2x4 quint4x2 quint8
        uint1 uint2 uint3 uint4 uint5 uint6 uint7
        QInt32Storage QInt8Storage QUInt2x4Storage QUInt4x2Storage QUInt8Storage""",
    "_streams": "Event Stream",
    "sparse._construct": """sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor
        sparse_csr_tensor""",
    "sparse._members": """_indices_copy _values_copy ccol_indices_copy col_indices_copy crow_indices_copy dsmm hsmm indices_copy
        resize_as_sparse_ row_indices_copy saddmm spmm values_copy""",
    "amp": "GradScaler",
    "func": "vmap",
    "jit": "fork wait",
}
_OF_NAME = {name: module for module, names in _PLACES.items() for name in names.split()}


def _constants():
    """Plain values and what other modules have under other names."""
    return {
        "legacy_contiguous_format": torch.contiguous_format,
        "has_lapack": True,
        "has_mkl": False,
        "has_openmp": torch.backends.openmp.is_available(),
        "has_spectral": True,
    }


_CONSTANTS = ("has_lapack", "has_mkl", "has_openmp", "has_spectral", "legacy_contiguous_format")


def _of_c():
    from torch import _c_names

    return _c_names


def _refused():
    from torch._absent import functions

    return functions


def names():
    """All of them."""
    from torch._foreach import FUNCTIONS

    return {*_MODULES, *_OF_NAME, *_CONSTANTS, *FUNCTIONS, *_refused().FUNCTIONS, *_of_c().PUBLIC}


def find(name):
    """The value of torch.`name`; AttributeError where there is none. It is kept, so that it is looked for once."""
    if name in _MODULES:
        return importlib.import_module(f"torch.{name}")
    space = sys.modules["torch"].__dict__
    if name in _OF_NAME:
        space[name] = getattr(importlib.import_module(f"torch.{_OF_NAME[name]}"), name)
    elif name.startswith("_foreach_"):
        space[name] = getattr(importlib.import_module("torch._foreach"), name)
    elif name in _CONSTANTS:
        space.update(_constants())
    elif not name.startswith("_") and name in _refused().FUNCTIONS:
        space[name] = _refused().find(name)
    elif not name.startswith("_") and name in _of_c().PUBLIC:
        space[name] = getattr(torch._C, name)
    else:
        raise AttributeError(f"module 'torch' has no attribute '{name}'")
    return space[name]
