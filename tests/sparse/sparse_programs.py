"""Runs a sparse program, in PyTorch when its answer is recorded (record.py), and here when it is compared (test_sparse_golden.py).

A program is a line of Python: statements, then an expression, over the operands of sparse_inputs.py. Its names are those of
`spaces`. A gradient is taken of its result: multiplied with `weights` and summed.
"""

import ast
import base64
import copy
import functools
import io
import json
import pathlib
import pickle
import warnings

import sparse_inputs

# Of these operands PyTorch has written files, with torch.save: files.json holds them in base64.
SAVED = "a u e h hu o z a_f32 a_i64 u_bool u_c128 g_f16 r rb rh re c m q r_f32".split()
FILES = pathlib.Path(__file__).parent / "files.json"


@functools.cache
def files():
    return json.loads(FILES.read_text())


def spaces(torch):
    """The names that programs use besides operands."""
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "copy": copy,
        "pickle": pickle,
        "wave": lambda *size: torch.tensor(sparse_inputs.wave(*size), dtype=torch.float64),
        "saved_and_loaded": lambda tensor: sparse_inputs.saved_and_loaded(torch, tensor),
        "loaded": lambda name, **options: torch.load(io.BytesIO(base64.b64decode(files()[name])), **options),
        "same_memory": lambda one, other: one.data_ptr() == other.data_ptr(),
    }


def operands(source):
    """The operands that a program names, with their (base, dtype)."""
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    return {name: sparse_inputs.known(name) for name in sorted(names) if sparse_inputs.known(name)}


def made(torch, source, dense=False):
    """New operands for a program; dense ones if asked."""
    tensors = {name: sparse_inputs.make(torch, *which) for name, which in operands(source).items()}
    if dense:
        tensors = {name: tensor.to_dense().clone() for name, tensor in tensors.items()}
    return tensors


def evaluate(torch, source, tensors):
    """A program's result."""
    space = {**spaces(torch), **tensors}
    body = ast.parse(source).body
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(ast.Module(body[:-1], []), source, "exec"), space)
        return eval(compile(ast.Expression(body[-1].value), source, "eval"), space)


def weights(torch, tensor):
    """Exact numbers that differ from their neighbours, as many as the tensor has elements."""
    flat = [((5 * i + 2) % 11 - 5) / 4 for i in range(tensor.numel())]
    return torch.tensor(flat, dtype=tensor.dtype).reshape(tensor.shape)


def gradients(torch, source, wrt, tensors):
    """The gradients of a program's result with respect to these operands."""
    for name in wrt:
        tensors[name].requires_grad_()
    result = evaluate(torch, source, tensors)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dense = result if result.layout == torch.strided else result.to_dense()
        if dense.is_complex():
            dense = torch.view_as_real(dense)
        (dense * weights(torch, dense)).sum().backward()
    return [tensors[name].grad for name in wrt]


def run(torch, program, tensors, source=None):
    """The result of a program of sparse_cases, or its gradients."""
    source = source or program.source
    if program.wrt:
        return gradients(torch, source, program.wrt, tensors)
    return evaluate(torch, source, tensors)


def as_dense(torch, result):
    """A result with strided tensors in place of sparse ones."""
    if isinstance(result, torch.Tensor):
        return result if result.layout == torch.strided else result.detach().to_dense()
    if isinstance(result, (tuple, list)) and not isinstance(result, torch.Size):
        return [as_dense(torch, item) for item in result]
    return result
