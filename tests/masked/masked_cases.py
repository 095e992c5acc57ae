"""Lines of Python about torch.masked, and what they answer: the same code runs under PyTorch, which writes data/, and here.

`functions()` are the functions with a mask beside a tensor, in every combination of arguments that matters;
masked_programs.txt are lines with MaskedTensors.
"""

import itertools
import pathlib
import warnings

import torch
from torch import masked as M

HERE = pathlib.Path(__file__).parent

REDUCTIONS = "sum prod amax amin mean var std norm logsumexp".split()
NORMALISATIONS = "softmax log_softmax softmin cumsum cumprod".split()


def operands():
    """The names that the lines know."""
    data = torch.arange(12.0).reshape(3, 4) - 4.5
    mask = torch.tensor([[True, False, True, True], [False, True, True, False], [False, False, False, False]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "torch": torch,
            "F": torch.nn.functional,
            "M": M,
            "masked_tensor": M.masked_tensor,
            "as_masked_tensor": M.as_masked_tensor,
            "d": data.clone(),
            "m": mask,
            "row": mask[0],
            "none": torch.zeros(3, 4, dtype=torch.bool),
            "numbers": mask.to(torch.int64) * 2,
            "q": torch.tensor([[3, -1, 4, 1], [5, -9, 2, 6], [5, 3, 5, 8]]),
            "u": torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8]], dtype=torch.uint8),
            "o": torch.tensor([[True, False, True, True], [True, True, False, False], [False, False, True, True]]),
            "h": data.half(),
            "f64": data.double() * 1.25,
            "c": torch.complex(data, data.flip(0)),
            "cube": torch.arange(24.0).reshape(2, 3, 4).sin(),
            "cubes": torch.arange(24).reshape(2, 3, 4) % 3 > 0,
            "nan": torch.tensor([[1.0, float("nan"), 3.0], [float("inf"), 2.0, -1.0]]),
            "two": torch.tensor([[True, False, True], [False, True, True]]),
            "empty": torch.zeros(0, 3),
            "scalar": torch.tensor(2.5),
            "yes": torch.tensor(True),
            "no": torch.tensor(False),
            "x": M.masked_tensor(data, mask),
            "y": M.masked_tensor(data * 2 + 1, mask),
            "z": M.masked_tensor(data, ~mask),
            "p": torch.tensor([1.0, 2, 3, 4]),
            "g": M.masked_tensor(data, mask, requires_grad=True),
            "i": M.masked_tensor(data.long(), mask),
            "b": M.masked_tensor(data > 0, mask),
            "v": M.masked_tensor(data[0], mask[0]),
        }


def functions():
    """Lines with functions that take a mask."""
    lines = []
    for name in REDUCTIONS:
        order = "2.0, " if name == "norm" else ""
        for dim, mask in itertools.product(("None", "0", "-1", "(0, 1)", "()"), ("None", "m", "row", "none")):
            keepdim = ", keepdim=True" * (mask == "m")
            lines.append(f"M.{name}(d, {order}{dim}{keepdim}, mask={mask})")
        for data, mask in (
            ("cube", "cubes"),
            ("nan", "two"),
            ("h", "m"),
            ("q", "m"),
            ("u", "m"),
            ("o", "m"),
            ("c", "m"),
        ):
            lines += [f"M.{name}({data}, {order}1, mask={mask})", f"M.{name}({data}, {order}None)"]
        lines += [f"M.{name}(d, {order}1, mask=m, dtype=torch.{dtype})" for dtype in ("float64", "float16", "int64")]
        lines += [
            f"M.{name}(cube, {order}(0, -1), keepdim=True, mask=cubes[0, :, :1])",
            f"M.{name}(d, {order}0, mask=numbers)",
        ]
        lines += [f"M.{name}(scalar, {order}None, mask={mask})" for mask in ("yes", "no", "None")]
        lines += [f"M.{name}(empty, {order}{dim})" for dim in ("0", "1", "None")]
        lines += [f"M.{name}(d, {order}{dim}, mask=m)" for dim in ("2", "(0, 0)", "-3")]
        lines += [f"M.{name}(d, {order}0, mask=cubes)", f"M.{name}(d, {order}0, mask=two)"]
    for name in ("argmax", "argmin"):
        for data, dim, mask in itertools.product(("d", "q", "h"), ("None", "0", "1"), ("None", "m", "row")):
            lines.append(f"M.{name}({data}, {dim}, keepdim={dim == '0'}, mask={mask})")
        lines += [f"M.{name}(d, 1, mask=none, dtype=torch.int64)", f"M.{name}(o, 1, mask=m)", f"M.{name}(d, (0, 1))"]
    for data, dim, mask in itertools.product(("d", "f64", "q", "nan"), ("0", "1", "-1"), ("None", "True")):
        given = {"None": "None"}.get(mask, "two" if data == "nan" else "m[:2]" if data == "none" else "m")
        lines.append(f"M.median({data}, {dim}, mask={given})")
    lines += [
        "M.median(q, 1, mask=row)",
        "M.median(q, 1, keepdim=True, mask=row, dtype=torch.int32)",
        "M.median(d, mask=row)",
    ]
    for name in NORMALISATIONS:
        for dim, mask in itertools.product(("0", "1", "-1"), ("None", "m", "row", "none")):
            lines.append(f"M.{name}(d, {dim}, mask={mask})")
        lines += [f"M.{name}({data}, 1, mask=m)" for data in ("f64", "h", "q", "c")]
        lines += [
            f"M.{name}(d, 1, mask=m, dtype=torch.float64)",
            f"M.{name}(d, 2, mask=m)",
            f"M.{name}(scalar, 0, mask=no)",
        ]
    for order, dim, mask in itertools.product(("1.0", "2.0", "float('inf')"), ("0", "1"), ("None", "m", "row")):
        lines.append(f"M.normalize(d, {order}, {dim}, mask={mask})")
    lines += ["M.normalize(d, 2.0, 1, eps=10.0, mask=m)", "M.normalize(d, 2.0, 1, mask=m, dtype=torch.float64)"]
    lines += [f"M.norm(d, {order}, 1, mask=m)" for order in ("0", "1", "3", "float('inf')", "float('-inf')")]
    lines += [
        f"M.{name}(d, 1, {option}, mask=m)"
        for name in ("var", "std")
        for option in ("unbiased=False", "unbiased=True", "correction=0", "correction=2", "correction=0.5", "False")
    ]
    lines += ["M.var(d, 1, True, correction=1)"]
    lines += [
        f"M.logaddexp(d, p, input_mask={one}, other_mask={other})"
        for one, other in itertools.product(("None", "m", "row"), ("None", "row", "~row"))
    ]
    lines += ["M.logaddexp(d, f64, input_mask=m)", "M.logaddexp(d, p, dtype=torch.float64)", "M.logaddexp(q, q)"]
    return lines


def gradients():
    """Lines that answer the gradient of d."""
    calls = [f"{name}(d, {dim}, mask={mask})" for name in REDUCTIONS for dim in ("None", "1") for mask in ("m", "row")]
    calls = [call.replace("norm(d, ", "norm(d, 3.0, ") for call in calls]
    calls += [f"{name}(d, 1, mask={mask})" for name in NORMALISATIONS for mask in ("m", "row")]
    calls += ["normalize(d, 2.0, 1, mask=m)", "median(d, 1, mask=m)", "logaddexp(d, p, input_mask=m, other_mask=row)"]
    return [f"d.requires_grad_();;r = M.{call};;(r * r.detach()).nansum().backward();;d.grad" for call in calls]


def programs():
    lines = (HERE / "masked_programs.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def encoded(value):
    """An answer as JSON has it."""
    if M.is_masked_tensor(value):
        data, mask = value.get_data().detach(), value.get_mask()
        kept = data.masked_fill(~mask, 0).flatten().tolist()
        state = f"{value.dtype} {tuple(value.shape)} {'grad' * value.requires_grad}"
        return {"masked": state, "values": [one if on else None for one, on in zip(kept, mask.flatten().tolist())]}
    if isinstance(value, torch.Tensor):
        values = value.detach()
        values = torch.view_as_real(values) if values.is_complex() else values
        state = f"{value.dtype} {tuple(value.shape)} {'grad' * value.requires_grad}"
        return {"tensor": state, "values": values.flatten().tolist()}
    if isinstance(value, (tuple, list)) and not isinstance(value, torch.Size):
        return [encoded(each) for each in value]
    return str(value)


def answer(line):
    """What a line answers: an encoded value, or the kind of error."""
    *statements, last = line.split(";;")
    space = operands()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for statement in statements:
                exec(statement.strip(), space)
            return encoded(eval(last.strip(), space))
        except Exception as error:
            return {"error": type(error).__name__}


def text(line):
    """What repr() says of a line's MaskedTensor, or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = eval(line, operands())
    return repr(value)


TEXTS = """x
v
i
b
x[0, 0]
x[0, 1]
i[0, 0]
i[0, 1]
x.expand(2, 3, 4)
x * 1e5
i * 100000
x.double() / 3
masked_tensor(torch.tensor([1e10, float('inf'), float('nan')]), torch.tensor([True, True, True]))
masked_tensor(torch.arange(8.0).view(2, 2, 2), torch.arange(8).view(2, 2, 2) % 3 == 0)""".splitlines()


def rows():
    return {line: answer(line) for line in (*functions(), *gradients(), *programs())}
