"""The golden cases once more, on the device "meta": an operator has the CPU's shapes, strides, dtypes and errors.

Every operand becomes a meta tensor of its shape and strides, and the device of the context makes meta tensors of what
the code creates. A result is told without its values:

    "f32 2x3"             contiguous, on the device asked for
    "f32 3x2 @1,3+2"      strides and storage offset, where they are not those of a new contiguous tensor
    "f32 2 cpu"           on another device

The rest is as in codec.py. What the CPU answers is compared with PyTorch in test_golden.py, so nothing of this is stored but
the cases that differ from the CPU: meta_differs.toml. `python -m golden.meta` in tests/ writes its rows anew; PyTorch's
answers to them are asked for by test_golden_meta_differs.py, which runs with either library.
"""

import collections
import functools
import json
import pathlib
import re
import sys
import tomllib

from . import row as rows
from .codec import layout_text, name_of, same, shape_text
from .inputs import DTYPES, build_all

HERE = pathlib.Path(__file__).parent
LISTED = HERE / "meta_differs.toml"
LEFT_OUT = {"printing": "prints elements, which there are none of; the text is in tests/tensor/test_device.py"}
KINDS = {"b1": "b1", **dict.fromkeys("u8 i8 i16 i32 i64".split(), "i64"),
         **dict.fromkeys("f16 bf16 f32 f64".split(), "f32"), **dict.fromkeys("c64 c128".split(), "c64"),
         **dict.fromkeys("u16 u32 u64".split(), "u16"),
         **dict.fromkeys("e4m3fn e5m2 e4m3fnuz e5m2fnuz".split(), "e5m2")}  # fmt: skip
# How an operator refuses that has to look at elements: {the phrase that programs match on: class of the error}.
REFUSALS = {
    "Cannot copy out of meta tensor; no data!": "NotImplementedError",
    "attempted to run this operator with Meta tensors": "NotImplementedError",  # which PyTorch goes on with otherwise
    "The register_meta function for torch.nonzero() raises unimplemented": "NotImplementedError",  # PyTorch alone
    "Not available for 'meta' device type": "NotImplementedError",
    "Tensor.item() cannot be called on meta tensors": "RuntimeError",
    "cannot repeat_interleave a meta tensor without output_size": "RuntimeError",
    "expected tensor_indices_or_sections to be on cpu, but it's on meta": "RuntimeError",
    "can't convert meta device type tensor to numpy.": "TypeError",
    "unsupported format string passed to Tensor.__format__": "TypeError",
    "Unknown device type meta for Dlpack": "ValueError",
    "Cannot pack tensors on meta": "BufferError",
}
NO_KERNEL = re.compile(r'"\w+" not implemented for ')
DTYPE = re.compile(r"\b(" + "|".join(KINDS) + r")\b")
LONG = re.compile(r"\btorch\.(" + "|".join(DTYPES.values()) + r")\b")
PATTERN = re.compile(r" (mix|nonzero|count|distinct|dup|nans|ones|special|wave|ext|sp|ix\d+)\b")


def describe(tensor, device="meta"):
    """Dtype, shape, strides, offset and device as text."""
    text = f"{name_of(tensor.dtype)} {shape_text(tensor.shape)}{layout_text(tensor)}"
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


def is_error(answer):
    return isinstance(answer, str) and answer.startswith("!")


def differing(row, torch):
    """{operands: (the CPU's answer, that on meta)} of the cases of a row where they are not the same."""
    found = {key: (evaluate(row, key, torch, "cpu"), evaluate(row, key, torch)) for key in row.inputs}
    return {key: (cpu, meta) for key, (cpu, meta) in found.items() if cpu != meta}


# ---------------------------------------------------------------------- what is listed


def of_kind(answer):
    """A text with each dtype as the first of its kind."""
    if answer.startswith("dtype"):
        answer = LONG.sub(lambda m: f"torch.{DTYPES[KINDS.get(name_of(m[0]), 'c32')]}", answer)
    return DTYPE.sub(lambda m: KINDS[m[1]], answer)


def told(key, answer):
    """What is listed of an answer: of an error its class; where there are operands, of dtypes their kinds."""
    if isinstance(answer, list):
        return [told(key, a) for a in answer]
    if answer.startswith("!"):
        return answer.split()[0].rstrip(",")
    return of_kind(answer) if key else answer


def operands_kind(key):
    """The operands of a case, but for values, with each dtype as the first of its kind."""
    return of_kind(PATTERN.sub("", key))


def is_refused(answer):
    return is_error(answer) and any(
        answer.startswith(f"!{error} ") and phrase in answer for phrase, error in REFUSALS.items()
    )


@functools.cache
def groups():
    return tomllib.loads(LISTED.read_text())["group"]


@functools.cache
def differs():
    """{(family, code): {operands, or their kind: answer}}; those of "refused" have no answers: their key is None."""
    found = collections.defaultdict(dict)
    for group in groups():
        for family, code, *answers in group["rows"]:
            found[family, code].update(answers[0] if answers else {None: "refused"})
    return dict(found)


def listed_as(listed, key, answer):
    """The key by which a row's list has this answer to a case; False if it has not."""
    for known in (key, operands_kind(key)):
        if known in listed:
            return known if same(told(key, answer), listed[known]) else False
    return None if None in listed and is_refused(answer) else False


# ---------------------------------------------------------------------- the list is written


def like(cpu, meta):
    """Which group a case belongs to."""
    if is_refused(meta):
        return "refused"
    if is_error(cpu):
        return "no kernel" if NO_KERNEL.search(cpu) else "unchecked"
    return "device"


def answers_of(cases):
    """{operands or their kind: answer}, as few as say it all."""
    by_kind = collections.defaultdict(dict)
    for key, answer in cases.items():
        by_kind[operands_kind(key)][key] = told(key, answer)
    found = {}
    for kind, answers in by_kind.items():
        first = next(iter(answers.values()))
        found |= {kind: first} if all(a == first for a in answers.values()) else answers
    return found


def line_of(family, code, answers):
    def quoted(value):
        return json.dumps(value, ensure_ascii=False)

    cells = [quoted(family), quoted(code)]
    if answers is not None:
        cells.append(f"{{ {', '.join(f'{quoted(k)} = {quoted(v)}' for k, v in answers.items())} }}")
    return f"  [{', '.join(cells)}],\n"


def main():
    import warnings

    import torch

    from .cases import FAMILIES

    warnings.simplefilter("ignore")
    ours = {tuple(row[:2]) for group in groups() if group["like"] == "ours" for row in group["rows"]}
    lines = collections.defaultdict(list)
    for family, table in FAMILIES.items():
        found = collections.defaultdict(dict)
        for row in table if family not in LEFT_OUT else ():
            for key, (cpu, meta) in differing(row, torch).items():
                group = "ours" if (family, row.code) in ours else like(cpu, meta)
                found[row.code, group][key] = meta
        for (code, group), cases in found.items():
            lines[group].append(line_of(family, code, None if group == "refused" else answers_of(cases)))
    head = LISTED.read_text().partition("\n[[group]]")[0]
    parts = [
        f"\n[[group]]\nwhy = {json.dumps(group['why'])}\nlike = {json.dumps(group['like'])}\nrows = [\n"
        f"{''.join(lines[group['like']])}]\n"
        for group in groups()
    ]
    LISTED.write_text(head + "".join(parts))


if __name__ == "__main__":
    sys.exit(main())
