"""The golden cases once more, differentiated: every floating operand of a row asks for its gradient.

An operand becomes a leaf of float64 or complex128, stored densely; the row sees a copy of it, in the layout that the case
asks for. So the gradient of a stepped, transposed or expanded operand goes through the view, and a row may write into its
operands. What is differentiated is the sum of the results' elements, each with a weight of its own.

    {"names": ["MulBackward0", ""], "grads": ["2x3: 1 0.5 …", "none"]}    a name for each tensor among the results
    {"names": ["SplitBackward0 view"], …}                                 … which is a view of another
    {"names": […], "grads": "!RuntimeError words"}                        the backward pass raises
    "!RuntimeError words"                                                 the row raises
    "-"                                                                   nothing is recorded

Of an error that is not about gradients only the class is kept. Few of a row's cases are taken (`keys_of`): those whose operands
differ in kind, layout or number of dimensions.
"""

import json
import pathlib
import re

from .inputs import LAYOUTS, NAMES, laid_out, stored
from .row import run

DATA = pathlib.Path(__file__).resolve().parent.parent / "autograd" / "data" / "gradients.json"
DOUBLE = {**dict.fromkeys(("f16", "bf16", "f32"), "f64"), **dict.fromkeys(("c32", "c64"), "c128")}
AT_MOST = 3  # cases of a row
SHOWN = 12  # elements of a gradient that are recorded; of a longer one their weighted sum too
SINGULAR = ("special", "ext", "nans", "sp")  # patterns whose gradients are NaN or nothing
# Of these messages the first words are kept.
ABOUT_GRADIENTS = re.compile(r"derivative|differentiable|requires? grad|require grad|backward|gradient|autograd", re.I)
WORDS = 6
LEFT_OUT = {
    "errors": "every row raises before anything is recorded",
    "interop": "hands out elements; tests/autograd says what is refused for a tensor that requires grad",
    "printing": "prints; the grad_fn in the text is tested with the tensors",
    "stored": "stores numbers of narrow dtypes, which have no gradient in float64",
    "creation": "makes tensors of numbers",
}


def signature(key):
    """What tells a case from others: dtypes, numbers of dimensions, layouts."""
    found = []
    for spec in filter(str.strip, key.split(";")):
        dtype, shape, *rest = spec.split()
        sizes = shape.split("x") if shape != "-" else []
        found.append((dtype, len(sizes), "0" in sizes, tuple(w for w in rest if w in LAYOUTS)))
    return tuple(found)


def in_double(key):
    return ";".join(" ".join([DOUBLE.get(word, word) for word in spec.split()]) for spec in key.split(";"))


def keys_of(row):
    """The cases of a row that are differentiated: in double precision, few, as different as possible."""
    keys = dict.fromkeys(in_double(key) for key in row.inputs if not re.search(r"\b(u16|u32|u64|e\dm\d\w*)\b", key))
    keys = [key for key in keys if re.search(r"\b(f64|c128)\b", key)]
    plain = [key for key in keys if not any(word in SINGULAR for word in key.replace(";", " ").split())]
    seen = {}
    for key in plain or keys:
        seen.setdefault(signature(key), key)
    # A complex case is wanted however many real ones there are.
    real = [key for key in seen.values() if "c128" not in key]
    other = [key for key in seen.values() if "c128" in key]
    return (real[: AT_MOST - bool(other)] + other)[:AT_MOST]


def weights(count, turn):
    """Numbers between 0.5 and 1.5, of no pattern that a sum would cancel."""
    return [0.5 + (0.618033988749895 * (i + 1) + 0.37 * turn) % 1 for i in range(count)]


def weight_of(tensor, turn, torch):
    """A tensor of weights, like the one given."""
    n = tensor.numel()
    flat = torch.tensor(weights(n, turn), dtype=torch.float64)
    if tensor.dtype.is_complex:
        flat = torch.complex(flat, torch.tensor(weights(n, turn + 3), dtype=torch.float64) - 1)
    return flat.to(tensor.dtype).reshape(tensor.shape)


def floating(tensor):
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


class Case:
    """The operands of one case: leaves, and how the row's operands are made of them."""

    def __init__(self, key, torch, shift=0.0):
        """With a shift, every element is moved by it, more or less: off the points where functions are not smooth."""
        self.torch = torch
        self.leaves, self.specs = [], {}
        self.fixed = {}
        for turn, spec in enumerate(s for s in key.split(";") if s.strip()):
            tensor, shape, layout = stored(spec, torch, turn)
            name = NAMES[turn]
            if not floating(tensor):
                self.fixed[name] = (tensor, shape, layout)
                continue
            if shift:
                tensor = tensor + shift * (weight_of(tensor, turn + 7, torch) - 0.25)
            self.specs[name] = (len(self.leaves), shape, layout)
            self.leaves.append(tensor)

    def to(self, device):
        """The same on another device; the leaves lie there as they lay here."""
        self.leaves = [leaf.to(device) for leaf in self.leaves]
        self.fixed = {name: (tensor.to(device), *rest) for name, (tensor, *rest) in self.fixed.items()}
        return self

    def operands(self, leaves):
        made = {name: (leaves[i].clone(), s, w) for name, (i, s, w) in self.specs.items()}
        made |= {name: (t.clone(), s, w) for name, (t, s, w) in self.fixed.items()}
        return {name: laid_out(*made[name]) for name in sorted(made)}

    def results(self, row, leaves):
        """The floating tensors among the row's results."""
        self.torch.manual_seed(0)
        return list(tensors(run(row, self.operands(leaves), self.torch), self.torch))


def tensors(result, torch):
    if isinstance(result, torch.Tensor):
        if floating(result):
            yield result
    elif isinstance(result, (tuple, list)):
        for item in result:
            yield from tensors(item, torch)


def name_of(tensor):
    if not tensor.requires_grad:
        return ""
    name = type(tensor.grad_fn).__name__ if tensor.grad_fn is not None else "leaf"
    return name + (" view" if tensor._is_view() else "")


def number(x):
    return f"{x.real:.8g},{x.imag:.8g}" if isinstance(x, complex) else f"{x:.8g}"


def describe(gradient, torch):
    if gradient is None:
        return "none"
    shape = "x".join(map(str, gradient.shape)) or "-"
    # The sum is a tensor that has memory: PyTorch's gradient of zeros may have none.
    flat = (gradient.detach() + torch.zeros(gradient.shape, dtype=gradient.dtype)).reshape(-1)
    numbers = flat[:SHOWN].tolist()
    if len(flat) > SHOWN:
        numbers.append((flat * weight_of(flat, 1, torch)).sum().item())
    return f"{shape}: {' '.join(map(number, numbers))}".rstrip()


def error_text(error):
    words = " ".join(str(error).split())
    about = ABOUT_GRADIENTS.search(words)
    return f"!{type(error).__name__} {' '.join(words.split()[:WORDS]) if about else ''}".rstrip()


def differentiated(results, leaves, torch, **options):
    recorded = [(i, r) for i, r in enumerate(results) if r.requires_grad]
    return torch.autograd.grad(
        [r for _, r in recorded],
        leaves,
        [weight_of(r, i, torch) for i, r in recorded],
        allow_unused=True,
        **options,
    )


def evaluate(row, key, torch):
    """What is recorded for one case."""
    return recorded(row, Case(key, torch), torch)


def evaluate_on(device, row, key, torch):
    """The same of operands on a device, where tensors and generators that the row makes are, too."""
    row = row._replace(code=row.code.replace("torch.Generator()", f"torch.Generator('{device}')"))
    case = Case(key, torch).to(device)
    with torch.device(device):
        return recorded(row, case, torch, torch.cuda.synchronize)


def recorded(row, case, torch, wait=lambda: None):
    """`wait`: what waits for a device, and raises what its kernels have met."""
    leaves = [leaf.requires_grad_() for leaf in case.leaves]
    try:
        results = case.results(row, leaves)
        wait()
    except Exception as error:
        return error_text(error)
    if not any(r.requires_grad for r in results):
        return "-"
    names = [name_of(r) for r in results]
    try:
        found = differentiated(results, leaves, torch)
        wait()
    except Exception as error:
        return {"names": names, "grads": error_text(error)}
    return {"names": names, "grads": [describe(g, torch) for g in found]}


def answers():
    return json.loads(DATA.read_text())


def close(got, want, tolerance=1e-6):
    """Whether two gradients' texts agree."""
    if got == want:
        return True
    head, _, values = want.partition(":")
    got_head, _, got_values = got.partition(":")
    x, y = parsed(got_values), parsed(values)
    if head != got_head or len(x) != len(y):
        return False
    finite = [abs(v) for v in y if abs(v) < 1e300]
    size = 1 + max(finite, default=0)
    return all(p == q or (p != p and q != q) or abs(p - q) <= tolerance * size for p, q in zip(x, y))


def parsed(text):
    found = []
    for word in text.split():
        found += [float(part) for part in word.split(",")]
    return found
