"""Pointwise functions of CUDA C++ that are compiled in the running process. torch.cuda._compile_kernel compiles kernels;
these, which take tensors of any shape and dtype, are not there: AssertionError without CUDA, RuntimeError with it."""

import re

import torch
from torch.cuda._absent import Lacks

__all__ = []
_NAME = re.compile(r"\s*template\s*<[^>]*>\s*[\w:<>,&*\s]*?(\w+)\s*\(", re.ASCII)


class _JittedFunction:
    def __init__(self, code_string, return_by_ref, num_outputs, **kwargs):
        found = _NAME.match(code_string)
        if not found:
            raise Exception(
                f"a function template is expected: 'template <typename T> T name(T x) {{ … }}', not {code_string!r}"
            )
        self.code_string, self.return_by_ref, self.num_outputs = code_string, return_by_ref, num_outputs
        self.kernel_name, self.kwargs_dict = found.group(1), kwargs

    def __call__(self, *tensors, **kwargs):
        if not torch.cuda.is_available():
            raise AssertionError(f"{self.kernel_name}: jiterator is only supported on GPUs, and none are available")
        Lacks("jiterator", "pointwise functions of source text; torch.cuda._compile_kernel has kernels")(
            self.kernel_name
        )


def _create_jit_fn(code_string, **kwargs):
    """A function of tensors on a GPU, from the text of a function template of their elements."""
    return _JittedFunction(code_string, False, 1, **kwargs)


def _create_multi_output_jit_fn(code_string, num_outputs, **kwargs):
    """The same with several results, which the template's last parameters refer to."""
    return _JittedFunction(code_string, True, num_outputs, **kwargs)
