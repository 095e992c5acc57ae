"""ONNX files: this torch writes none. The names are there for whoever imports them."""

import enum

from torch._absent import rest_of

__all__ = ["OperatorExportTypes", "TensorProtoDataType", "TrainingMode", "is_in_onnx_export"]

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


def is_in_onnx_export():
    """Whether a file is being written: no."""
    return False


__getattr__, __dir__ = rest_of(__name__)
