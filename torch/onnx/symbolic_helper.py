"""What functions that write operators into ONNX files are declared with. They can be declared and registered; nothing is
written here."""

import torch
from torch._absent import rest_of
from torch.onnx import TensorProtoDataType

_KINDS = {
    "Byte": (torch.uint8, "UINT8"),
    "Char": (torch.int8, "INT8"),
    "Double": (torch.float64, "DOUBLE"),
    "Float": (torch.float32, "FLOAT"),
    "Half": (torch.float16, "FLOAT16"),
    "Int": (torch.int32, "INT32"),
    "Long": (torch.int64, "INT64"),
    "Short": (torch.int16, "INT16"),
    "Bool": (torch.bool, "BOOL"),
    "ComplexFloat": (torch.complex64, "COMPLEX64"),
    "ComplexDouble": (torch.complex128, "COMPLEX128"),
    "BFloat16": (torch.bfloat16, "BFLOAT16"),
}
cast_pytorch_to_onnx = {name: TensorProtoDataType[kind] for name, (_, kind) in _KINDS.items()}
cast_pytorch_to_onnx["Undefined"] = TensorProtoDataType.UNDEFINED
pytorch_name_to_type = {name: dtype for name, (dtype, _) in _KINDS.items()}


def parse_args(*arg_descriptors):
    """A decorator for a function that writes an operator: what kind each argument is, "v" a value of the graph, "i" an int,
    "is" ints, "f" a float, "fs", "b", "s", "t", "none". The function itself, with `_arg_descriptors`."""

    def decorator(fn):
        fn._arg_descriptors = arg_descriptors
        return fn

    return decorator


def quantized_args(*arg_q_descriptors, scale=None, zero_point=None, quantize_output=True):
    """A decorator for a function that writes an operator of quantised numbers: the function itself."""
    return lambda fn: fn


__getattr__, __dir__ = rest_of(__name__)
