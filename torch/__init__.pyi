# What torch has, for type checkers: what __init__.py imports, makes of tables, or imports when it is first used.
# tests/package/test_stubs.py compares the two.
# ruff: noqa: F403, F811
import builtins
from math import e as e, inf as inf, nan as nan, pi as pi

from torch import (
    accelerator as accelerator,
    amp as amp,
    ao as ao,
    autograd as autograd,
    backends as backends,
    compiler as compiler,
    cpu as cpu,
    cuda as cuda,
    distributed as distributed,
    distributions as distributions,
    export as export,
    fft as fft,
    func as func,
    functional as functional,
    futures as futures,
    fx as fx,
    hub as hub,
    jit as jit,
    legacy as legacy,
    library as library,
    linalg as linalg,
    masked as masked,
    monitor as monitor,
    mps as mps,
    mtia as mtia,
    multiprocessing as multiprocessing,
    nested as nested,
    nn as nn,
    onnx as onnx,
    optim as optim,
    overrides as overrides,
    package as package,
    profiler as profiler,
    quantization as quantization,
    quasirandom as quasirandom,
    random as random,
    return_types as return_types,
    serialization as serialization,
    signal as signal,
    sparse as sparse,
    special as special,
    storage as storage,
    testing as testing,
    torch_version as torch_version,
    types as types,
    utils as utils,
    version as version,
    xpu as xpu,
)
from torch._autocast import (
    autocast_decrement_nesting as autocast_decrement_nesting,
    autocast_increment_nesting as autocast_increment_nesting,
    get_autocast_dtype as get_autocast_dtype,
    is_autocast_enabled as is_autocast_enabled,
    set_autocast_dtype as set_autocast_dtype,
    set_autocast_enabled as set_autocast_enabled,
)
from torch._C import (
    AcceleratorError as AcceleratorError,
    FatalError as FatalError,
    Generator as Generator,
    JITException as JITException,
    OutOfMemoryError as OutOfMemoryError,
    Size as Size,
    Tensor as Tensor,
    UntypedStorage as UntypedStorage,
    as_tensor as as_tensor,
    asarray as asarray,
    bfloat16 as bfloat16,
    bool as bool,
    can_cast as can_cast,
    cdouble as cdouble,
    cfloat as cfloat,
    chalf as chalf,
    channels_last as channels_last,
    channels_last_3d as channels_last_3d,
    clear_autocast_cache as clear_autocast_cache,
    complex32 as complex32,
    complex64 as complex64,
    complex128 as complex128,
    contiguous_format as contiguous_format,
    default_generator as default_generator,
    detach_ as detach_,
    device as device,
    double as double,
    dtype as dtype,
    float as float,
    float8_e4m3fn as float8_e4m3fn,
    float8_e4m3fnuz as float8_e4m3fnuz,
    float8_e5m2 as float8_e5m2,
    float8_e5m2fnuz as float8_e5m2fnuz,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    from_numpy as from_numpy,
    frombuffer as frombuffer,
    get_default_dtype as get_default_dtype,
    get_num_interop_threads as get_num_interop_threads,
    get_num_threads as get_num_threads,
    half as half,
    int as int,
    int8 as int8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled,
    is_anomaly_enabled as is_anomaly_enabled,
    is_autocast_cache_enabled as is_autocast_cache_enabled,
    is_complex as is_complex,
    is_floating_point as is_floating_point,
    is_grad_enabled as is_grad_enabled,
    is_inference_mode_enabled as is_inference_mode_enabled,
    is_signed as is_signed,
    is_tensor as is_tensor,
    is_warn_always_enabled as is_warn_always_enabled,
    jagged as jagged,
    layout as layout,
    long as long,
    memory_format as memory_format,
    numel as numel,
    preserve_format as preserve_format,
    promote_types as promote_types,
    result_type as result_type,
    set_anomaly_enabled as set_anomaly_enabled,
    set_autocast_cache_enabled as set_autocast_cache_enabled,
    set_default_dtype as set_default_dtype,
    set_flush_denormal as set_flush_denormal,
    set_num_interop_threads as set_num_interop_threads,
    set_num_threads as set_num_threads,
    set_warn_always as set_warn_always,
    short as short,
    sparse_bsc as sparse_bsc,
    sparse_bsr as sparse_bsr,
    sparse_coo as sparse_coo,
    sparse_csc as sparse_csc,
    sparse_csr as sparse_csr,
    strided as strided,
    tensor as tensor,
    uint8 as uint8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
)
from torch._checks import (
    cudnn_is_acceptable as cudnn_is_acceptable,
    dequantize as dequantize,
    frobenius_norm as frobenius_norm,
    init_num_threads as init_num_threads,
    is_distributed as is_distributed,
    is_vulkan_available as is_vulkan_available,
    nuclear_norm as nuclear_norm,
    sym_constrain_range as sym_constrain_range,
    sym_constrain_range_for_size as sym_constrain_range_for_size,
)
from torch._functions import *
from torch._library.c_names import parse_schema as parse_schema
from torch._library.keys import (
    DispatchKey as DispatchKey,
    DispatchKeySet as DispatchKeySet,
    ExcludeDispatchKeyGuard as ExcludeDispatchKeyGuard,
)
from torch._library.schema import Argument as Argument, FunctionSchema as FunctionSchema
from torch._library.tags import Tag as Tag
from torch._library.types import (
    AnyType as AnyType,
    AwaitType as AwaitType,
    BoolType as BoolType,
    ComplexType as ComplexType,
    DeviceObjType as DeviceObjType,
    DictType as DictType,
    FloatType as FloatType,
    FutureType as FutureType,
    InferredType as InferredType,
    IntType as IntType,
    ListType as ListType,
    NoneType as NoneType,
    NumberType as NumberType,
    OptionalType as OptionalType,
    PyObjectType as PyObjectType,
    RRefType as RRefType,
    StreamObjType as StreamObjType,
    StringType as StringType,
    SymBoolType as SymBoolType,
    SymIntType as SymIntType,
    TensorType as TensorType,
    TupleType as TupleType,
    Type as Type,
    UnionType as UnionType,
    unify_type_list as unify_type_list,
)
from torch._limits import finfo as finfo, iinfo as iinfo
from torch._ops import ops as ops
from torch._quantized import qscheme as qscheme
from torch._serialization.containers import (
    PyTorchFileReader as PyTorchFileReader,
    PyTorchFileWriter as PyTorchFileWriter,
)
from torch._settings import (
    are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled,
    broadcast_shapes as broadcast_shapes,
    compiled_with_cxx11_abi as compiled_with_cxx11_abi,
    get_default_device as get_default_device,
    get_deterministic_debug_mode as get_deterministic_debug_mode,
    get_device_module as get_device_module,
    is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled,
    is_nonzero as is_nonzero,
    set_default_device as set_default_device,
    set_default_tensor_type as set_default_tensor_type,
    set_deterministic_debug_mode as set_deterministic_debug_mode,
    typename as typename,
    use_deterministic_algorithms as use_deterministic_algorithms,
)
from torch._storage.typed import is_storage as is_storage
from torch._streams import Event as Event, Stream as Stream
from torch._symbolic import (
    SymBool as SymBool,
    SymFloat as SymFloat,
    SymInt as SymInt,
    sym_float as sym_float,
    sym_int as sym_int,
    sym_ite as sym_ite,
    sym_max as sym_max,
    sym_min as sym_min,
    sym_not as sym_not,
    sym_sqrt as sym_sqrt,
    sym_sum as sym_sum,
)
from torch._tensor_str import set_printoptions as set_printoptions
from torch.amp.autocast_mode import autocast as autocast
from torch.amp.grad_scaler import GradScaler as GradScaler
from torch.autograd.grad_mode import (
    enable_grad as enable_grad,
    inference_mode as inference_mode,
    no_grad as no_grad,
    set_grad_enabled as set_grad_enabled,
)
from torch.backends._precision import (
    get_float32_matmul_precision as get_float32_matmul_precision,
    set_float32_matmul_precision as set_float32_matmul_precision,
)
from torch.compiler import compile as compile
from torch.futures import Future as Future
from torch.jit import CompilationUnit as CompilationUnit, fork as fork, wait as wait
from torch.random import (
    get_rng_state as get_rng_state,
    initial_seed as initial_seed,
    manual_seed as manual_seed,
    seed as seed,
    set_rng_state as set_rng_state,
)
from torch.serialization import load as load, save as save
from torch.sparse._construct import (
    sparse_bsc_tensor as sparse_bsc_tensor,
    sparse_bsr_tensor as sparse_bsr_tensor,
    sparse_compressed_tensor as sparse_compressed_tensor,
    sparse_coo_tensor as sparse_coo_tensor,
    sparse_csc_tensor as sparse_csc_tensor,
    sparse_csr_tensor as sparse_csr_tensor,
)
from torch.sparse._members import (
    ccol_indices_copy as ccol_indices_copy,
    col_indices_copy as col_indices_copy,
    crow_indices_copy as crow_indices_copy,
    dsmm as dsmm,
    hsmm as hsmm,
    indices_copy as indices_copy,
    resize_as_sparse_ as resize_as_sparse_,
    row_indices_copy as row_indices_copy,
    saddmm as saddmm,
    spmm as spmm,
    values_copy as values_copy,
)
from torch.storage import TypedStorage as TypedStorage, from_file as from_file
from torch.testing._file_check import FileCheck as FileCheck
from torch.utils.dlpack import from_dlpack as from_dlpack, to_dlpack as to_dlpack
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
