"""The golden cases once more, on the device "meta": what is known of a result without looking at an element.

Every operand becomes a meta tensor of its shape and strides, and the device of the context makes meta tensors of what
the code creates. A result is written without its values:

    "f32 2x3"             contiguous, on the device asked for
    "f32 3x2 @1,3+2"      strides and storage offset, where they are not those of a new contiguous tensor
    "f32 2 cpu"           on another device

The rest is as in codec.py. Left out:

- what differs from another case in values only;
- a dtype of the same kind (bool, integer, floating, complex) as another of the row, if the answers have the same
  shapes, strides and kinds of dtype: a float32 stands for float64, float16 and bfloat16;
- what PyTorch changes before it raises;
- the families of LEFT_OUT.
"""

import functools
import json
import pathlib
import re
import tomllib

from . import row as rows
from .codec import name_of, same, shape_text
from .inputs import DTYPES, build_all

HERE = pathlib.Path(__file__).parent
LEFT_OUT = {
    "interop": "hands out elements, which there are none of; the refusals are in tests/tensor/test_device.py",
    "printing": "prints elements, which there are none of; the text is in tests/tensor/test_device.py",
    "stored": "tests what elements become, of which there are none",
}
KINDS = {"b1": "b1", **dict.fromkeys("u8 i8 i16 i32 i64".split(), "i64"),
         **dict.fromkeys("f16 bf16 f32 f64".split(), "f32"), **dict.fromkeys("c64 c128".split(), "c64")}  # fmt: skip
# The phrases of refusals that programs match on.
PHRASES = ("Cannot copy out of meta tensor; no data!", "cannot be called on meta tensors")
DTYPE = re.compile(r"\b(" + "|".join(KINDS) + r")\b")
LONG = re.compile(r"\btorch\.(" + "|".join(DTYPES.values()) + r")\b")
PATTERN = re.compile(r" (mix|nonzero|count|distinct|dup|nans|ones|special|wave|ext|ix\d+)\b")


def contiguous(shape):
    strides, step = [], 1
    for n in reversed(shape):
        strides.insert(0, step)
        step *= max(n, 1)
    return tuple(strides)


def describe(tensor, device="meta"):
    """Dtype, shape, strides, offset and device as text."""
    text = f"{name_of(tensor.dtype)} {shape_text(tensor.shape)}"
    offset = f"+{tensor.storage_offset()}" if tensor.storage_offset() else ""
    if offset or tensor.stride() != contiguous(tensor.shape):
        text += f" @{','.join(map(str, tensor.stride()))}{offset}"
    return text if tensor.device.type == device else f"{text} {tensor.device.type}"


def to_meta(tensor, torch):
    """A meta tensor that lies in its storage as this one does in its own."""
    elements = tensor.untyped_storage().nbytes() // tensor.element_size()
    base = torch.empty(elements, dtype=tensor.dtype, device="meta")
    return base.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())


def build_meta(key, torch):
    return {name: to_meta(tensor, torch) for name, tensor in build_all(key, torch).items()}


def evaluate(row, key, torch, device="meta"):
    """The encoded result of one case on a device, or its error."""
    build = build_meta if device == "meta" else build_all
    with torch.device(device):
        return rows.evaluate(row, key, torch, build, functools.partial(describe, device=device))


def recorded(row, key, torch):
    """What is stored: of an error only its class and the words that programs match on."""
    result = evaluate(row, key, torch)
    if isinstance(result, list) or not result.startswith("!"):
        return result
    words = next((w for w in (*PHRASES, row.words) if w and w in result), "")
    return f"{result.split()[0]} {words}".rstrip()


def kinds_of(answer):
    """An answer with each dtype as the first of its kind."""
    if isinstance(answer, list):
        return tuple(map(kinds_of, answer))
    if answer.startswith("dtype"):
        answer = LONG.sub(lambda m: f"torch.{KINDS[name_of(m[0])]}", answer)
    return DTYPE.sub(lambda m: KINDS[m[1]], answer)


def first_of_kinds(key):
    """Sorts float32, int64 and complex64 before the others of their kind."""
    return sum(dtype != KINDS[dtype] for dtype in DTYPE.findall(key))


def thinned(row, torch):
    """{operands: answer} of the cases of a row that say something of their own."""
    seen, kept = set(), {}
    for key in sorted(row.inputs, key=first_of_kinds):
        answer = recorded(row, key, torch)
        if answer == "!changed":
            continue
        said = (DTYPE.sub(lambda m: KINDS[m[1]], PATTERN.sub("", key)), kinds_of(answer))
        if said not in seen:
            seen.add(said)
            kept[key] = answer
    return {key: kept[key] for key in row.inputs if key in kept}


@functools.cache
def answers():
    """{family: {code: {operands: answer}}} of the families that are asked."""
    return {path.stem: json.loads(path.read_text()) for path in sorted((HERE / "data" / "meta").glob("*.json"))}


@functools.cache
def differs():
    """{(family, code): like what} of the rows of meta_differs.toml."""
    groups = tomllib.loads((HERE / "meta_differs.toml").read_text())["group"]
    return {(family, code): group["like"] for group in groups for family, code in group["rows"]}


def differing(code, answers, torch):
    """(operands, wanted, got) of every stored case of a row that is answered differently."""
    row = rows.Row(code)
    return [(key, want, got) for key, want in answers.items() if not same(got := evaluate(row, key, torch), want)]


def is_like(like, code, key, got, torch):
    """Whether an answer is what meta_differs.toml says: "cpu", what the CPU's would be but for values; "answer"; "error"."""
    cpu = evaluate(rows.Row(code), key, torch, "cpu")
    if isinstance(cpu, str) and cpu.startswith("!"):
        cpu = cpu.split()[0]
    refused = isinstance(got, str) and got.startswith("!")
    return same(got, cpu) or like == ("error" if refused else "answer")
