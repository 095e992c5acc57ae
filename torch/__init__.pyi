# What torch has, for type checkers: what __init__.py imports, makes of tables, or imports when it is first used.
# tests/package/test_stubs.py compares the two.
# ruff: noqa: F403, F811
import builtins
from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi

from torch import accelerator as accelerator
from torch import amp as amp
from torch import ao as ao
from torch import autograd as autograd
from torch import backends as backends
from torch import compiler as compiler
from torch import cpu as cpu
from torch import cuda as cuda
from torch import distributed as distributed
from torch import distributions as distributions
from torch import export as export
from torch import fft as fft
from torch import func as func
from torch import functional as functional
from torch import futures as futures
from torch import fx as fx
from torch import hub as hub
from torch import jit as jit
from torch import legacy as legacy
from torch import library as library
from torch import linalg as linalg
from torch import masked as masked
from torch import monitor as monitor
from torch import mps as mps
from torch import mtia as mtia
from torch import multiprocessing as multiprocessing
from torch import nested as nested
from torch import nn as nn
from torch import onnx as onnx
from torch import optim as optim
from torch import overrides as overrides
from torch import package as package
from torch import profiler as profiler
from torch import quantization as quantization
from torch import quasirandom as quasirandom
from torch import random as random
from torch import return_types as return_types
from torch import serialization as serialization
from torch import signal as signal
from torch import sparse as sparse
from torch import special as special
from torch import storage as storage
from torch import testing as testing
from torch import torch_version as torch_version
from torch import types as types
from torch import utils as utils
from torch import version as version
from torch import xpu as xpu
from torch._autocast import autocast_decrement_nesting as autocast_decrement_nesting
from torch._autocast import autocast_increment_nesting as autocast_increment_nesting
from torch._autocast import get_autocast_dtype as get_autocast_dtype
from torch._autocast import is_autocast_enabled as is_autocast_enabled
from torch._autocast import set_autocast_dtype as set_autocast_dtype
from torch._autocast import set_autocast_enabled as set_autocast_enabled
from torch._C import AcceleratorError as AcceleratorError
from torch._C import FatalError as FatalError
from torch._C import Generator as Generator
from torch._C import JITException as JITException
from torch._C import OutOfMemoryError as OutOfMemoryError
from torch._C import Size as Size
from torch._C import Tensor as Tensor
from torch._C import UntypedStorage as UntypedStorage
from torch._C import as_tensor as as_tensor
from torch._C import asarray as asarray
from torch._C import bfloat16 as bfloat16
from torch._C import bool as bool
from torch._C import can_cast as can_cast
from torch._C import cdouble as cdouble
from torch._C import cfloat as cfloat
from torch._C import chalf as chalf
from torch._C import channels_last as channels_last
from torch._C import channels_last_3d as channels_last_3d
from torch._C import clear_autocast_cache as clear_autocast_cache
from torch._C import complex32 as complex32
from torch._C import complex64 as complex64
from torch._C import complex128 as complex128
from torch._C import contiguous_format as contiguous_format
from torch._C import default_generator as default_generator
from torch._C import detach_ as detach_
from torch._C import device as device
from torch._C import double as double
from torch._C import dtype as dtype
from torch._C import float as float
from torch._C import float8_e4m3fn as float8_e4m3fn
from torch._C import float8_e4m3fnuz as float8_e4m3fnuz
from torch._C import float8_e5m2 as float8_e5m2
from torch._C import float8_e5m2fnuz as float8_e5m2fnuz
from torch._C import float16 as float16
from torch._C import float32 as float32
from torch._C import float64 as float64
from torch._C import from_numpy as from_numpy
from torch._C import frombuffer as frombuffer
from torch._C import get_default_dtype as get_default_dtype
from torch._C import get_num_interop_threads as get_num_interop_threads
from torch._C import get_num_threads as get_num_threads
from torch._C import half as half
from torch._C import int as int
from torch._C import int8 as int8
from torch._C import int16 as int16
from torch._C import int32 as int32
from torch._C import int64 as int64
from torch._C import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from torch._C import is_anomaly_enabled as is_anomaly_enabled
from torch._C import is_autocast_cache_enabled as is_autocast_cache_enabled
from torch._C import is_complex as is_complex
from torch._C import is_floating_point as is_floating_point
from torch._C import is_grad_enabled as is_grad_enabled
from torch._C import is_inference_mode_enabled as is_inference_mode_enabled
from torch._C import is_signed as is_signed
from torch._C import is_tensor as is_tensor
from torch._C import is_warn_always_enabled as is_warn_always_enabled
from torch._C import jagged as jagged
from torch._C import layout as layout
from torch._C import long as long
from torch._C import memory_format as memory_format
from torch._C import numel as numel
from torch._C import preserve_format as preserve_format
from torch._C import promote_types as promote_types
from torch._C import result_type as result_type
from torch._C import set_anomaly_enabled as set_anomaly_enabled
from torch._C import set_autocast_cache_enabled as set_autocast_cache_enabled
from torch._C import set_default_dtype as set_default_dtype
from torch._C import set_flush_denormal as set_flush_denormal
from torch._C import set_num_interop_threads as set_num_interop_threads
from torch._C import set_num_threads as set_num_threads
from torch._C import set_warn_always as set_warn_always
from torch._C import short as short
from torch._C import sparse_bsc as sparse_bsc
from torch._C import sparse_bsr as sparse_bsr
from torch._C import sparse_coo as sparse_coo
from torch._C import sparse_csc as sparse_csc
from torch._C import sparse_csr as sparse_csr
from torch._C import strided as strided
from torch._C import tensor as tensor
from torch._C import uint8 as uint8
from torch._C import uint16 as uint16
from torch._C import uint32 as uint32
from torch._C import uint64 as uint64
from torch._checks import cudnn_is_acceptable as cudnn_is_acceptable
from torch._checks import dequantize as dequantize
from torch._checks import frobenius_norm as frobenius_norm
from torch._checks import init_num_threads as init_num_threads
from torch._checks import is_distributed as is_distributed
from torch._checks import is_vulkan_available as is_vulkan_available
from torch._checks import nuclear_norm as nuclear_norm
from torch._checks import sym_constrain_range as sym_constrain_range
from torch._checks import sym_constrain_range_for_size as sym_constrain_range_for_size
from torch._functions import *
from torch._library.c_names import parse_schema as parse_schema
from torch._library.keys import DispatchKey as DispatchKey
from torch._library.keys import DispatchKeySet as DispatchKeySet
from torch._library.keys import ExcludeDispatchKeyGuard as ExcludeDispatchKeyGuard
from torch._library.schema import Argument as Argument
from torch._library.schema import FunctionSchema as FunctionSchema
from torch._library.tags import Tag as Tag
from torch._library.types import AnyType as AnyType
from torch._library.types import AwaitType as AwaitType
from torch._library.types import BoolType as BoolType
from torch._library.types import ComplexType as ComplexType
from torch._library.types import DeviceObjType as DeviceObjType
from torch._library.types import DictType as DictType
from torch._library.types import FloatType as FloatType
from torch._library.types import FutureType as FutureType
from torch._library.types import InferredType as InferredType
from torch._library.types import IntType as IntType
from torch._library.types import ListType as ListType
from torch._library.types import NoneType as NoneType
from torch._library.types import NumberType as NumberType
from torch._library.types import OptionalType as OptionalType
from torch._library.types import PyObjectType as PyObjectType
from torch._library.types import RRefType as RRefType
from torch._library.types import StreamObjType as StreamObjType
from torch._library.types import StringType as StringType
from torch._library.types import SymBoolType as SymBoolType
from torch._library.types import SymIntType as SymIntType
from torch._library.types import TensorType as TensorType
from torch._library.types import TupleType as TupleType
from torch._library.types import Type as Type
from torch._library.types import UnionType as UnionType
from torch._library.types import unify_type_list as unify_type_list
from torch._limits import finfo as finfo
from torch._limits import iinfo as iinfo
from torch._ops import ops as ops
from torch._quantized import qscheme as qscheme
from torch._serialization.containers import PyTorchFileReader as PyTorchFileReader
from torch._serialization.containers import PyTorchFileWriter as PyTorchFileWriter
from torch._settings import are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled
from torch._settings import broadcast_shapes as broadcast_shapes
from torch._settings import compiled_with_cxx11_abi as compiled_with_cxx11_abi
from torch._settings import get_default_device as get_default_device
from torch._settings import get_deterministic_debug_mode as get_deterministic_debug_mode
from torch._settings import get_device_module as get_device_module
from torch._settings import (
    is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled,
)
from torch._settings import is_nonzero as is_nonzero
from torch._settings import set_default_device as set_default_device
from torch._settings import set_default_tensor_type as set_default_tensor_type
from torch._settings import set_deterministic_debug_mode as set_deterministic_debug_mode
from torch._settings import typename as typename
from torch._settings import use_deterministic_algorithms as use_deterministic_algorithms
from torch._storage.typed import is_storage as is_storage
from torch._streams import Event as Event
from torch._streams import Stream as Stream
from torch._symbolic import SymBool as SymBool
from torch._symbolic import SymFloat as SymFloat
from torch._symbolic import SymInt as SymInt
from torch._symbolic import sym_float as sym_float
from torch._symbolic import sym_int as sym_int
from torch._symbolic import sym_ite as sym_ite
from torch._symbolic import sym_max as sym_max
from torch._symbolic import sym_min as sym_min
from torch._symbolic import sym_not as sym_not
from torch._symbolic import sym_sqrt as sym_sqrt
from torch._symbolic import sym_sum as sym_sum
from torch._tensor_str import set_printoptions as set_printoptions
from torch.amp.autocast_mode import autocast as autocast
from torch.amp.grad_scaler import GradScaler as GradScaler
from torch.autograd.grad_mode import enable_grad as enable_grad
from torch.autograd.grad_mode import inference_mode as inference_mode
from torch.autograd.grad_mode import no_grad as no_grad
from torch.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from torch.backends._precision import get_float32_matmul_precision as get_float32_matmul_precision
from torch.backends._precision import set_float32_matmul_precision as set_float32_matmul_precision
from torch.compiler import compile as compile
from torch.futures import Future as Future
from torch.jit import CompilationUnit as CompilationUnit
from torch.jit import fork as fork
from torch.jit import wait as wait
from torch.random import get_rng_state as get_rng_state
from torch.random import initial_seed as initial_seed
from torch.random import manual_seed as manual_seed
from torch.random import seed as seed
from torch.random import set_rng_state as set_rng_state
from torch.serialization import load as load
from torch.serialization import save as save
from torch.storage import TypedStorage as TypedStorage
from torch.storage import from_file as from_file
from torch.testing._file_check import FileCheck as FileCheck
from torch.utils.dlpack import from_dlpack as from_dlpack
from torch.utils.dlpack import to_dlpack as to_dlpack
from torch.version import __version__ as __version__

# The types of 2017.
class BFloat16Tensor(Tensor): ...
class BoolTensor(Tensor): ...
class ByteTensor(Tensor): ...
class CharTensor(Tensor): ...
class ComplexDoubleTensor(Tensor): ...
class ComplexFloatTensor(Tensor): ...
class DoubleTensor(Tensor): ...
class FloatTensor(Tensor): ...
class HalfTensor(Tensor): ...
class IntTensor(Tensor): ...
class LongTensor(Tensor): ...
class ShortTensor(Tensor): ...
class BFloat16Storage(TypedStorage): ...
class BoolStorage(TypedStorage): ...
class ByteStorage(TypedStorage): ...
class CharStorage(TypedStorage): ...
class ComplexDoubleStorage(TypedStorage): ...
class ComplexFloatStorage(TypedStorage): ...
class DoubleStorage(TypedStorage): ...
class FloatStorage(TypedStorage): ...
class HalfStorage(TypedStorage): ...
class IntStorage(TypedStorage): ...
class LongStorage(TypedStorage): ...
class ShortStorage(TypedStorage): ...

Storage: type[TypedStorage]

# Of devices by name.
def get_autocast_cpu_dtype() -> dtype: ...
def get_autocast_gpu_dtype() -> dtype: ...
def get_autocast_ipu_dtype() -> dtype: ...
def get_autocast_xla_dtype() -> dtype: ...
def is_autocast_cpu_enabled() -> builtins.bool: ...
def is_autocast_ipu_enabled() -> builtins.bool: ...
def is_autocast_xla_enabled() -> builtins.bool: ...
def set_autocast_cpu_dtype(dtype: dtype) -> None: ...
def set_autocast_cpu_enabled(enabled: builtins.bool) -> None: ...
def set_autocast_gpu_dtype(dtype: dtype) -> None: ...
def set_autocast_ipu_dtype(dtype: dtype) -> None: ...
def set_autocast_ipu_enabled(enabled: builtins.bool) -> None: ...
def set_autocast_xla_dtype(dtype: dtype) -> None: ...
def set_autocast_xla_enabled(enabled: builtins.bool) -> None: ...

newaxis: None

# Quantised and other dtypes that are names: what is made of them says so.
bit: dtype
bits16: dtype
bits1x8: dtype
bits2x4: dtype
bits4x2: dtype
bits8: dtype
float4_e2m1fn_x2: dtype
float8_e8m0fnu: dtype
int1: dtype
int2: dtype
int3: dtype
int4: dtype
int5: dtype
int6: dtype
int7: dtype
qint32: dtype
qint8: dtype
quint2x4: dtype
quint4x2: dtype
quint8: dtype
uint1: dtype
uint2: dtype
uint3: dtype
uint4: dtype
uint5: dtype
uint6: dtype
uint7: dtype
per_channel_affine: qscheme
per_channel_affine_float_qparams: qscheme
per_channel_symmetric: qscheme
per_tensor_affine: qscheme
per_tensor_symmetric: qscheme
classes: builtins.object
has_lapack: bool
has_mkl: bool
has_openmp: bool
has_spectral: bool
legacy_contiguous_format: memory_format

class QInt32Storage: ...
class QInt8Storage: ...
class QUInt2x4Storage: ...
class QUInt4x2Storage: ...
class QUInt8Storage: ...
