"""The golden cases once more on a GPU: operands are moved there, the device of the context makes tensors there, and results
are read back. What is stored (golden/data) is what the CPU answers.

Tensors among the results must be on the GPU, too. cuda_differs.toml lists the rows that do not answer so, and what they
answer: `python -m golden.cuda` in tests/ writes its group of operators without kernels anew, on a build that has CUDA and a
device.
"""

import functools
import json
import pathlib
import re
import sys
import tomllib

from . import row as rows
from .answers import asked
from .codec import same, without_layout
from .inputs import build_all

HERE = pathlib.Path(__file__).parent
LISTED = HERE / "cuda_differs.toml"
LEFT_OUT = {
    "interop": "hands elements to libraries of the host; tests/cuda/test_exchange.py",
    "printing": "says the device beside the elements; tests/cuda/test_tensors.py",
}
NAMES = (
    (re.compile(r",\s+device='cuda:0'"), ""),
    (re.compile(r"\btorch\.cuda\."), "torch."),
    (re.compile(r"\s+"), " "),
)
NO_ROW = re.compile(r'!(changed \w+, then )?NotImplementedError:? "\w+_cuda" not implemented for ')


def to_cuda(tensor, torch):
    """A tensor on the GPU that lies in its storage as this one does in its own."""
    elements = tensor.untyped_storage().nbytes() // tensor.element_size()
    base = tensor.as_strided((elements,), (1,), 0).to("cuda")
    return base.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())


def build_cuda(key, torch):
    return {name: to_cuda(tensor, torch) for name, tensor in build_all(key, torch).items()}


def evaluate(row, key, torch):
    """The encoded result of one case on the GPU, or its error. Generators are of the GPU, too: no others serve there."""
    row = row._replace(code=row.code.replace("torch.Generator()", "torch.Generator('cuda')"))
    with torch.device("cuda"):
        return rows.evaluate(row, key, torch, build_cuda, wait=torch.cuda.synchronize, device="cuda")


@functools.cache
def differs():
    """{(family, code): (like what, answer)} of the rows of cuda_differs.toml; the answer is a row's own, or its group's."""
    groups = tomllib.loads(LISTED.read_text())["group"]
    return {
        (family, code): (group["like"], own[0] if own else group.get("answer"))
        for group in groups
        for family, code, *own in group["rows"]
    }


def is_no_row(got):
    """Whether an answer is that an operator has no kernel on CUDA."""
    return isinstance(got, str) and NO_ROW.match(got) is not None


def alike(got, want, tolerance):
    """Whether two answers agree; what is refused on one device and on the other is refused by the device's name."""
    refused = isinstance(got, str) and isinstance(want, str) and '_cpu" not implemented' in want
    return same(got.replace('_cuda" not', '_cpu" not') if refused else got, want, tolerance)


def unnamed(answer):
    """An answer without the device's name."""
    if isinstance(answer, list):
        return [unnamed(a) for a in answer]
    for pattern, otherwise in NAMES:
        answer = pattern.sub(otherwise, answer)
    return answer


def is_like(like, answer, key, got, want):
    """Whether an answer that is not the CPU's, `want`, is what cuda_differs.toml says."""
    if like == "no row":
        return is_no_row(got)
    if like == "named":
        return unnamed(got) == unnamed(want)
    if like == "on the CPU":
        return moved(got) == moved(want)
    assert like == "answer", f"cuda_differs.toml: like = {like!r} is none of 'no row', 'named', 'on the CPU', 'answer'"
    if isinstance(answer, dict):
        answer = answer[key]
    if isinstance(answer, list) and isinstance(got, list) and isinstance(want, list):
        parts = zip(answer, got, want, strict=True)
        return all(unnamed(g) == unnamed(w) if a == "*" else same(g, a) for a, g, w in parts)
    return same(got, answer)


def moved(answer):
    """An answer of tensors on the CPU that were made there or copied, whatever they are views of otherwise."""
    if isinstance(answer, list):
        return [moved(a) for a in answer]
    return re.sub(r" =\w?:", " =:", answer.removesuffix(" on cpu"))


def differing(family, row, torch):
    """(operands, wanted, got) of every case of a row that is answered differently, wherever in memory a result lies."""
    found = [(key, want, evaluate(row, key, torch)) for key, want in asked(family, row)]
    found = [(key, without_layout(want), without_layout(got)) for key, want, got in found]
    return [(key, want, got) for key, want, got in found if not alike(got, want, row.tolerance)]


def main():
    """Writes the group of rows without kernels anew; the others stay."""
    import warnings

    import torch

    from .cases import FAMILIES

    warnings.simplefilter("ignore")
    text = LISTED.read_text()
    head, mark, _ = text.partition('[[group]]\nlike = "no row"')
    others = {row for row, (like, _) in differs().items() if like != "no row"}
    lines = []
    for family, table in FAMILIES.items():
        for row in table if family not in LEFT_OUT else ():
            if (family, row.code) not in others and any(is_no_row(got) for *_, got in differing(family, row, torch)):
                lines.append(f"  [{json.dumps(family)}, {json.dumps(row.code)}],\n")
    why = 'why = "A kernel that it calls is in none of THC.h, THCUNN.h and THCS.h: docs/coverage-cuda.md."\n'
    LISTED.write_text(f"{head}{mark}\n{why}rows = [\n{''.join(lines)}]\n")


if __name__ == "__main__":
    sys.exit(main())
