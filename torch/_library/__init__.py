"""Operators of users: schemas, the table of operators and their kernels, and what torch.library is made of.

schema.py      a schema's text, read: FunctionSchema, Argument, the types
keys.py        dispatch keys, and what this thread leaves out
binding.py     arguments of a call, by a schema
table.py       operators, their kernels by dispatch key, libraries by namespace
dispatch.py    a call: which kernel, what autograd sees of it
infer_schema.py, custom_ops.py, autograd.py, fake_impl.py, checking.py   the rest of torch.library
native.py      operators that C++ registered (TORCH_LIBRARY)
"""

from torch._library.fake_class_registry import register_fake_class
from torch._library.triton import capture_triton, triton_op, wrap_triton

__all__ = ["capture_triton", "register_fake_class", "triton_op", "wrap_triton"]
