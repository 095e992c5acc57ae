"""The programs of sparse_cases.py against PyTorch's answers (golden.json, written by record.py).

    pytest tests/sparse/test_sparse_golden.py
    python tests/sparse/test_sparse_golden.py              # how many agree, are refused or are wrong, by operator
    python tests/sparse/test_sparse_golden.py mm softmax   # what is not as it should be in these groups

Where PyTorch answers, layout, dtype, size, the flag "coalesced" and all members agree; entries that are not coalesced may
stand in any order. Where it refuses, so do we, or we give what dense operands give. What is refused has changed no operand.
differs.toml lists where we know better, with reasons; what stands there and agrees fails.
"""

import faulthandler
import json
import pathlib
import sys
import tomllib

import pytest
import torch

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import sparse_cases  # noqa: E402
import sparse_codec  # noqa: E402
import sparse_programs  # noqa: E402

GOLDEN = json.loads((HERE / "golden.json").read_text())
DIFFERS = {
    (group["group"], source): group["like"]
    for group in tomllib.loads((HERE / "differs.toml").read_text()).get("differs", [])
    for source in group["programs"]
}
# Here PyTorch's entries that are not coalesced are as its algorithm leaves them: some merged, some zero.
LOOSE = {"add", "sub", "mul", "smm", "accumulation"}
SHOWN = 6  # differences listed per group


def changed(source, tensors):
    """The operands that a refused program has changed."""
    fresh = sparse_programs.made(torch, source)
    return [
        name
        for name, tensor in tensors.items()
        if not sparse_codec.same(sparse_codec.encode(torch, fresh[name]), sparse_codec.encode(torch, tensor))
    ]


def accepted(error, want):
    """Whether an exception is the refusal that PyTorch's is. What it has no kernel for it refuses as RuntimeError or as
    NotImplementedError, which is one, as it happens; there either will do."""
    if want["raises"] in ("RuntimeError", "NotImplementedError") and "says" not in want:
        return isinstance(error, RuntimeError)
    return any(kind.__name__ == want["raises"] for kind in type(error).__mro__) and want.get("says", "") in str(error)


def raised(program, want, error, tensors):
    """("agrees" | "refused" | "wrong", what was got) where a program raised an exception."""
    got = f"{type(error).__name__}: {error}"
    if not isinstance(want, dict) or "raises" not in want:
        return "refused", got
    if program.bad and (names := changed(program.source, tensors)):
        return "wrong", f"{got}; and {', '.join(names)} changed"
    return ("agrees" if accepted(error, want) else "wrong"), got


def agrees(group, program, want, got, result):
    """Whether a result is PyTorch's, or where PyTorch has none, that of dense operands."""
    if not isinstance(want, dict) or "raises" not in want:
        return sparse_codec.same(want, got, flags=program.wrt is None, loose=group in LOOSE)
    if "dense" not in want:
        return False
    if program.wrt:
        operands = sparse_programs.made(torch, program.source)
        return all(covers(*row) for row in zip(want["dense"], result, [operands[name] for name in program.wrt]))
    return sparse_codec.same(want["dense"], sparse_codec.encode(torch, sparse_programs.as_dense(torch, result)))


def outcome(group, program, want):
    """("agrees" | "refused" | "wrong", what was got)."""
    try:
        tensors = sparse_programs.made(torch, program.source)
    except Exception as error:
        return "refused", f"{type(error).__name__} while the operands are made: {error}"
    try:
        result = sparse_programs.run(torch, program, tensors)
    except Exception as error:
        return raised(program, want, error, tensors)
    try:
        got = sparse_codec.encode(torch, result)
        if broken := sparse_codec.wrongs(torch, result):
            return "wrong", f"{got}, which is no valid tensor: {broken}"
        return ("agrees" if agrees(group, program, want, got, result) else "wrong"), got
    except Exception as error:
        return "wrong", f"a result of which {type(error).__name__}: {error}"


def covers(want, gradient, operand):
    """Whether a gradient is the dense one, or, where it is sparse, has that one's elements: at the operand's entries at least,
    and at no place another."""
    if gradient is None:
        return want == {"is": None}
    if gradient.layout == torch.strided:
        return sparse_codec.same(want, sparse_codec.encode(torch, gradient))
    want = sparse_codec.Strided(want)
    dense = torch.tensor(want.elements, dtype=gradient.dtype).reshape(gradient.shape)
    here = with_entries(gradient)
    needed = with_entries(operand) if operand.layout != torch.strided else torch.ones_like(here)
    masked = torch.where(here, dense, torch.zeros_like(dense))
    missing = needed & ~here & (dense != 0)
    return not missing.any() and torch.allclose(masked, gradient.to_dense(), rtol=1e-6, atol=1e-9)


def with_entries(tensor):
    """Where a sparse tensor has entries, as a dense tensor of bools."""
    coo = tensor if tensor.layout == torch.sparse_coo else tensor.to_sparse()
    ones = torch.ones_like(coo._values(), dtype=torch.float64)
    return torch.sparse_coo_tensor(coo._indices(), ones, tensor.shape).to_dense() != 0


def outcomes(group):
    """(program, what is wanted, status, what is got) of all programs of a group."""
    for program in sparse_cases.GROUPS[group]:
        want = GOLDEN[group][program.key]
        yield program, want, *outcome(group, program, want)


def listing(rows):
    return "\n".join(
        f"[{program.key}] {status}\n    want {want}\n    got  {got}" for program, want, status, got in rows
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("group", sparse_cases.GROUPS)
def test_answers_like_pytorch(group):
    rows = list(outcomes(group))
    wrong = [row for row in rows if row[2] != "agrees" and DIFFERS.get((group, row[0].key)) != row[2]]
    more = f"\n… and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    assert not wrong, f"{group}: {len(wrong)} of {len(rows)}\n{listing(wrong[:SHOWN])}{more}"
    better = [row[0].key for row in rows if row[2] == "agrees" and (group, row[0].key) in DIFFERS]
    assert not better, f"{group}: these agree, though differs.toml says otherwise: {better}"


def test_data_belongs_to_the_programs():
    declared = {(group, program.key) for group, programs in sparse_cases.GROUPS.items() for program in programs}
    answered = {(group, key) for group, found in GOLDEN.items() for key in found}
    assert declared == answered, "run tests/sparse/record.py"
    assert set(DIFFERS) <= declared, f"differs.toml has no program {sorted(set(DIFFERS) - declared)}"


def main(groups):
    faulthandler.enable()  # a crash names the program: its text is the file of its frame
    if groups:
        for group in groups:
            print(f"== {group}")
            print(listing(row for row in outcomes(group) if row[2] != "agrees"))
        return
    print(f"{'':26}{'agree':>8}{'refused':>8}{'wrong':>8}{'known':>8}")
    totals = dict.fromkeys(("agrees", "refused", "wrong", "known"), 0)
    for group in sparse_cases.GROUPS:
        counts = dict.fromkeys(totals, 0)
        for program, _, status, _ in outcomes(group):
            known = status != "agrees" and DIFFERS.get((group, program.key)) == status
            counts["known" if known else status] += 1
        print(f"{group:26}" + "".join(f"{count:8}" for count in counts.values()), flush=True)
        totals = {name: totals[name] + count for name, count in counts.items()}
    print(f"{'all':26}" + "".join(f"{count:8}" for count in totals.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
