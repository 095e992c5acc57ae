"""Calls with nested tensors that PyTorch's answers are recorded of: data/nested.json, by generate_nested.py."""

import re

import torch
import torch.nn.functional as F


def wave(*shape, shift=0.0):
    """Numbers that look like noise, and are the same everywhere."""
    count = torch.Size(shape).numel()
    return (torch.arange(count, dtype=torch.float64) * 2.63 + shift).sin().mul(2).reshape(shape).float()


def rows(*lengths, width=3, shift=0.0):
    parts = [wave(length, width, shift=shift + i) for i, length in enumerate(lengths)]
    return torch.nested.nested_tensor(parts, layout=torch.jagged)


def heads(shift=0.0, causal=False):
    nested = rows(2, 4, 1, width=8, shift=shift)
    return nested.unflatten(-1, (2, 4)).transpose(1, 2)


x = rows(2, 4, 1)
y = torch.nested.nested_tensor_from_jagged(wave(7, 3, shift=9.0), x.offsets())
tokens = torch.nested.nested_tensor([torch.tensor([1, 0]), torch.tensor([2, 2, 1])], layout=torch.jagged)
holes = torch.nested.narrow(wave(3, 5, 2), 1, torch.tensor([0, 1, 3]), torch.tensor([2, 3, 1]), layout=torch.jagged)
weight, bias = wave(5, 3, shift=1.0), wave(5, shift=2.0)
W = torch.nested.nested_tensor_from_jagged(wave(2, 6), torch.tensor([0, 2, 6]), jagged_dim=2)

CASES = {
    # construction
    "itself": lambda: x,
    "one row differs in another size": lambda: torch.nested.nested_tensor(
        [wave(2, 3), wave(2, 5)], layout=torch.jagged
    ),
    "of lists": lambda: torch.nested.nested_tensor([[1, 2], [3]], layout=torch.jagged),
    "of a tensor": lambda: torch.nested.as_nested_tensor(wave(2, 3, 4), layout=torch.jagged),
    "dtype": lambda: torch.nested.nested_tensor([wave(2), wave(1)], layout=torch.jagged, dtype=torch.float64),
    "lengths": lambda: torch.nested.nested_tensor_from_jagged(wave(5, 2), lengths=torch.tensor([2, 3])),
    "jagged_dim": lambda: W,
    "jagged_dim unbind": lambda: W.unbind(),
    "masked_select": lambda: torch.nested.masked_select(wave(3, 4), wave(3, 4) > 0),
    "narrow": lambda: holes.unbind(),
    "narrow contiguous": lambda: holes.contiguous(),
    "narrow plus": lambda: (holes + 1).unbind(),
    "narrow numbers": lambda: torch.nested.narrow(wave(2, 5, 2), 1, 1, 3, layout=torch.jagged).unbind(),
    "padded": lambda: x.to_padded_tensor(-1.0),
    "padded to a size": lambda: torch.nested.to_padded_tensor(x, 0.5, (3, 6, 3)),
    "padded and cut": lambda: torch.nested.to_padded_tensor(x, 0.0, (3, 2, 3)),
    "padded heads": lambda: heads().to_padded_tensor(0.0),
    "unbind": lambda: x.unbind(),
    "offsets": lambda: x.offsets(),
    # pointwise
    **{
        name: (lambda name=name: getattr(torch, name)(x))
        for name in ("sin", "abs", "exp", "sigmoid", "relu", "neg", "isnan", "sign", "square", "tanh")
    },
    **{
        f"{name} of two": (lambda name=name: getattr(torch, name)(x, y))
        for name in ("add", "sub", "mul", "div", "maximum", "lt", "atan2", "eq")
    },
    "number on the left": lambda: 1 - x,
    "power": lambda: x.abs() ** 1.5,
    "remainder": lambda: x % 2,
    "comparison": lambda: (x > 0) & (y < 1),
    "invert": lambda: ~(x > 0),
    "dense, of the last dimension": lambda: x * torch.tensor([1.0, 2.0, 3.0]),
    "dense, of each row": lambda: x + wave(3, 1, 3),
    "dense, of each row, one": lambda: x + wave(3, 1, 1),
    "where": lambda: torch.where(x > 0, x, 0.0),
    "masked_fill": lambda: x.masked_fill(x > 0, -1.0),
    "clamp": lambda: x.clamp(-1, 1),
    "in place": lambda: x.clone().add_(1).mul_(y),
    "operator in place": lambda: x.clone().__iadd__(y),
    "to": lambda: x.to(torch.float64),
    "zeros_like": lambda: torch.zeros_like(x),
    "full_like": lambda: torch.full_like(x, 3.0),
    **{name: (lambda name=name: getattr(F, name)(x)) for name in ("gelu", "silu", "elu", "softplus", "leaky_relu")},
    "dropout": lambda: F.dropout(x, 0.5, training=False),
    # products and layers
    "linear": lambda: F.linear(x, weight, bias),
    "matmul": lambda: x @ weight.T,
    "bmm": lambda: torch.bmm(x, wave(3, 3, 4)),
    "rows by rows": lambda: x.transpose(1, 2) @ y,
    "heads by a matrix": lambda: heads() @ wave(4, 6),
    "layer_norm": lambda: F.layer_norm(x, (3,), wave(3), wave(3, shift=1.0)),
    "rms_norm": lambda: F.rms_norm(x, (3,), wave(3)),
    "softmax": lambda: x.softmax(-1),
    "softmax of rows": lambda: F.softmax(x, dim=1),
    "log_softmax": lambda: x.log_softmax(-1),
    "embedding": lambda: F.embedding(tokens, wave(3, 4)),
    "attention": lambda: F.scaled_dot_product_attention(heads(), heads(), heads()),
    "attention and back": lambda: (
        F.scaled_dot_product_attention(heads(), heads(), heads(), scale=0.3).transpose(1, 2).flatten(-2)
    ),
    # reductions
    **{
        f"{name} of {dim}": (lambda name=name, dim=dim: getattr(torch, name)(x, dim))
        for name in ("sum", "mean", "amax", "amin", "prod", "argmax")
        for dim in (1, 2)
    },
    "sum": lambda: x.sum(),
    "sum, kept": lambda: x.sum(1, keepdim=True),
    "sum of the last, kept": lambda: x.sum(-1, keepdim=True),
    "mean": lambda: x.mean(),
    "sum of batch and rows": lambda: x.sum((0, 1)),
    "any": lambda: (x > 1).any(),
    "maximum and place": lambda: tuple(x.max(1)),
    # dimensions
    "transpose": lambda: x.transpose(1, 2),
    "unsqueeze": lambda: x.unsqueeze(-1),
    "squeeze": lambda: x.unsqueeze(-1).squeeze(-1),
    "view": lambda: x.view(3, -1, 3, 1),
    "reshape": lambda: x.reshape(3, -1, 1, 3),
    "unflatten": lambda: x.unflatten(-1, (3, 1)),
    "flatten": lambda: x.unflatten(-1, (3, 1)).flatten(-2),
    "chunk": lambda: x.chunk(3, -1),
    "split": lambda: x.split([1, 2], -1),
    "chunk of rows": lambda: x.chunk(3, 0),
    "cat": lambda: torch.cat([x, y], -1),
    "stack": lambda: torch.stack([x, y], -1),
    "row": lambda: x[1],
    "last row": lambda: x[-1],
    "row and more": lambda: x[1, 2:, 0],
    "last dimension": lambda: x[..., 0],
    "part of the last dimension": lambda: x[..., :2],
    "select": lambda: x.select(-1, 1),
    "iteration": lambda: list(x),
    # errors
    "other rows": lambda: x + rows(2, 4, 1),
    "no rows": lambda: torch.nested.nested_tensor([], layout=torch.jagged),
    "numbers": lambda: torch.nested.nested_tensor([torch.tensor(1.0)], layout=torch.jagged),
    "several dtypes": lambda: torch.nested.nested_tensor([wave(2), wave(2).double()], layout=torch.jagged),
    "several dims": lambda: torch.nested.nested_tensor([wave(2), wave(2, 2)], layout=torch.jagged),
    "nothing said": lambda: torch.nested.nested_tensor_from_jagged(wave(3)),
    "no tensor": lambda: torch.nested.as_nested_tensor(3),
    "softmax of the batch": lambda: x.softmax(0),
    "sum of the batch": lambda: x.sum(0),
    "sum of rows and more": lambda: x.sum((1, 2)),
    "holes padded": lambda: holes.to_padded_tensor(0.0),
    "rows to numbers": lambda: x.tolist(),
    "two sizes that differ": lambda: x @ y.transpose(1, 2),
    "cat of batches": lambda: torch.cat([x, y], 0),
}


def described(value):
    """A result as JSON: shapes without the numbers of ragged sizes."""
    if isinstance(value, (tuple, list)):
        return [described(item) for item in value]
    if not isinstance(value, torch.Tensor):
        return repr(value)
    answer = {"dtype": str(value.dtype)}
    if value.is_nested:
        answer |= {"shape": re.sub(r"j\d+", "j", str(tuple(value.shape))), "offsets": value.offsets().tolist()}
        value = value.values()
    else:
        answer["shape"] = str(tuple(value.shape))
    return answer | {"values": [float(f"{number:.7g}") for number in value.detach().double().flatten().tolist()]}


def answer(call):
    try:
        return described(call())
    except Exception as error:
        return {"error": type(error).__name__}


def gradient_answers():
    """Gradients of values, of the tensors that rows were made of, and of a layer."""
    leaf = torch.nested.nested_tensor([wave(2, 3), wave(4, 3)], layout=torch.jagged, requires_grad=True)
    layer = torch.nn.Linear(3, 2)
    with torch.no_grad():
        layer.weight.copy_(wave(2, 3))
        layer.bias.zero_()
    (layer(leaf).softmax(-1).to_padded_tensor(0.0) * wave(2, 4, 2)).sum().backward()
    parts = [wave(2, 3).requires_grad_(), wave(3, 3).requires_grad_()]
    nested = torch.nested.as_nested_tensor(parts, layout=torch.jagged)
    (nested.sin().to_padded_tensor(0.0) * wave(2, 3, 3)).sum().backward()
    values = wave(5, 8).requires_grad_()
    packed = torch.nested.nested_tensor_from_jagged(values, torch.tensor([0, 2, 5]))
    split = packed.unflatten(-1, (2, 4)).transpose(1, 2)
    F.scaled_dot_product_attention(split, split, split).transpose(1, 2).flatten(-2).mul(packed).sum().backward()
    found = [leaf.grad, layer.weight.grad, layer.bias.grad, *(part.grad for part in parts), values.grad]
    return [described(gradient) for gradient in found]
