"""ONNX files: this torch writes none. The names are there for whoever imports them."""

from __future__ import annotations

import enum
import re

from torch._absent import rest_of

__all__ = [
    "OperatorExportTypes",
    "TensorProtoDataType",
    "TrainingMode",
    "is_in_onnx_export",
    "register_custom_op_symbolic",
]

producer_name, producer_version = "pytorch", "2.13.0"


class OperatorExportTypes(enum.IntEnum):
    """Which operators a file may have."""

    ONNX, ONNX_ATEN, ONNX_ATEN_FALLBACK, ONNX_FALLTHROUGH = range(4)


class TrainingMode(enum.IntEnum):
    """In which mode a model is written."""

    EVAL, PRESERVE, TRAINING = range(3)


class TensorProtoDataType(enum.IntEnum):
    """The numbers that files have for dtypes."""

    UNDEFINED, FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64, STRING, BOOL, FLOAT16, DOUBLE = range(12)
    UINT32, UINT64, COMPLEX64, COMPLEX128, BFLOAT16 = range(12, 17)
    FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ = range(17, 21)


def is_in_onnx_export() -> bool:
    """Whether a file is being written: no."""
    return False


_symbolics = {}  # {(domain::name, opset): the function that would write it}


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """Remembers the function that writes the operator "domain::name" into ONNX files of a version: none are written here.
    OnnxExporterError, a RuntimeError, for another form of name."""
    if not re.fullmatch(r"[a-zA-Z][\w-]*::[a-zA-Z_]\w*", symbolic_name):
        from torch.onnx.errors import OnnxExporterError

        raise OnnxExporterError(
            f"Failed to register operator {symbolic_name}. The symbolic name must match the format domain::name"
        )
    _symbolics[symbolic_name, opset_version] = symbolic_fn


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    """Forgets what `register_custom_op_symbolic` was told."""
    _symbolics.pop((symbolic_name, opset_version), None)


__getattr__, __dir__ = rest_of(__name__)
