"""One line of a golden table, and how it is evaluated.

A row is a piece of Python with the operands a, b, c and `torch` in scope. Its last expression is the result:

    Row("torch.add(a, b, alpha=2)", each(NUM, "$ 2x3;$ 3"))
    Row("a[0] = 5; a", ("f32 2x3",))

`each(dtypes, *shapes)` writes out the operands: `$` stands for every dtype in turn.
"""

import ast
import functools
import math
from typing import NamedTuple

from .codec import encode, tensor_text
from .inputs import build_all

FLOAT = "f16 bf16 f32 f64"
INT = "u8 i8 i16 i32 i64"
NUM = f"{INT} {FLOAT}"
ALL = f"b1 {NUM}"


class Row(NamedTuple):
    code: str
    inputs: tuple[str, ...] = ("",)  # one case for each
    tolerance: str = "exact"  # a name in codec.TOLERANCES
    view: bool = False  # also compare strides, offset and storage
    words: str = ""  # what the error's message must contain


def each(dtypes, *shapes):
    return tuple(s.replace("$", d) for d in dtypes.split() for s in shapes)


def rows(template, names, inputs, tolerance="exact", view=False):
    """The same row for many operators: OP in the template is each name in turn."""
    return [Row(template.replace("OP", n), tuple(inputs), tolerance, view) for n in names.split()]


def codes(inputs, text, tolerance="exact", view=False):
    """A row for each line of the text."""
    return [Row(line.strip(), tuple(inputs), tolerance, view) for line in text.strip().splitlines()]


def errors(inputs, text):
    """A row for each line `code  # words of the message`."""
    split = (line.rpartition("  #") for line in text.strip().splitlines())
    return [Row(code.strip(), tuple(inputs), words=words.strip()) for code, _, words in split]


@functools.cache
def compiled(code):
    """The statements before the last expression, and that expression (None when the code ends with a statement)."""
    tree = ast.parse(code)
    ends_well = isinstance(tree.body[-1], ast.Expr)
    last = ast.Expression(tree.body.pop().value if ends_well else ast.Constant(None, lineno=1, col_offset=0))
    return compile(tree, code, "exec"), compile(last, code, "eval")


def run(row, operands, torch):
    """The result of a row's code with these operands."""
    statements, last = compiled(row.code)
    scope = {"torch": torch, "math": math, "inf": math.inf, "nan": math.nan, **operands}
    exec(statements, scope)
    return eval(last, scope)


def evaluate(row, key, torch, build=build_all, of_tensor=tensor_text, wait=None, device=None):
    """The encoded result of one case, or its error. An operation that raises must have changed nothing. `wait`: what waits
    for a device and raises what its kernels have met. `device`: the type of device on which results are; of a tensor that is
    elsewhere the text says so."""
    operands = build(key, torch)
    try:
        result = run(row, operands, torch)
        if wait:
            wait()
    except Exception as error:
        before = build(key, torch)
        for name, tensor in operands.items():
            if of_tensor(tensor) != of_tensor(before[name]):
                return f"!changed {name}, then {type(error).__name__}: {error}"
        return f"!{type(error).__name__} {' '.join(str(error).split())}"
    if row.view and of_tensor is tensor_text:
        of_tensor = functools.partial(tensor_text, operands=operands)
    if device is None:
        return encode(result, torch, of_tensor)

    def placed(tensor):
        found = tensor.device.type
        return of_tensor(tensor) if found == device else f"{of_tensor(tensor)} on {found}"

    return encode(result, torch, placed)
