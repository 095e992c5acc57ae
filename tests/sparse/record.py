"""Writes golden.json: what PyTorch answers to the programs of sparse_cases.py. Run it with PyTorch 2.13, from a folder that
holds no torch/:

    cd /tmp && /tmp/oracle/bin/python …/tests/sparse/record.py

Where PyTorch refuses, the answer has what the same program gives of dense operands ("dense"), if it gives something. Programs
whose sparse and dense results have different values, or whose result breaks its own rules, are printed: these are PyTorch's mistakes, or what sparse means.
"""

import json
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import sparse_cases  # noqa: E402
import sparse_codec  # noqa: E402
import sparse_programs  # noqa: E402

MISTAKES = []  # what the table says and PyTorch does not


def as_dense(result):
    """The same with strided tensors in place of sparse ones."""
    if isinstance(result, torch.Tensor):
        return result if result.layout == torch.strided else result.to_dense()
    if isinstance(result, (tuple, list)) and not isinstance(result, torch.Size):
        return [as_dense(item) for item in result]
    return result


def of_result(result):
    """A sparse result as a dense one, or nothing where PyTorch made one that it cannot read."""
    try:
        return sparse_codec.encode(torch, as_dense(result))
    except Exception:
        return "f64 0:"


def of_dense(program, run):
    """What a program gives of dense operands, or None; what is in empty memory is nobody's."""
    if "empty" in program.source or "resize" in program.source or ".new(" in program.source:
        return None
    source = program.dense or program.source
    try:
        return sparse_codec.encode(
            torch, as_dense(run(source, sparse_programs.made(torch, program.source, dense=True)))
        )
    except Exception:
        return None


def answer(program):
    def run(source, tensors):
        if program.wrt:
            return sparse_programs.gradients(torch, source, program.wrt, tensors)
        return sparse_programs.evaluate(torch, source, tensors)

    try:
        result = run(program.source, sparse_programs.made(torch, program.source))
        encoded = sparse_codec.encode(torch, result)
    except Exception as error:
        refusal = {"raises": type(error).__name__}
        if program.says:
            if program.says not in str(error):
                MISTAKES.append(f"{program.source}\n    says {error}\n    not {program.says}")
            refusal["says"] = program.says
        elif not program.bad and (dense := of_dense(program, run)) is not None:
            refusal["dense"] = dense
        return refusal
    if program.bad:
        MISTAKES.append(f"{program.source}\n    should be refused and gives {encoded}")
    if program.wrt is None and isinstance(result, torch.Tensor) and result.device.type == "cpu":
        if wrong := sparse_codec.wrongs(torch, result):
            print(f"{program.source}\n    is no valid tensor: {wrong}")
        dense, own = of_dense(program, run), of_result(result)
        if isinstance(dense, str) and not sparse_codec.same(dense, own):
            print(f"{program.source}\n    dense:  {dense}\n    sparse: {own}")
    return encoded


def main():
    torch.set_num_threads(1)
    answers = {}
    for group, programs in sparse_cases.GROUPS.items():
        answers[group] = {program.key: answer(program) for program in programs}
        if len(answers[group]) != len(programs):
            keys = [program.key for program in programs]
            MISTAKES.append(f"{group}: twice: {sorted({key for key in keys if keys.count(key) > 1})}")
    if MISTAKES:
        raise SystemExit("\n".join(MISTAKES))
    lines = []
    for group, found in answers.items():
        rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(one, separators=(',', ':'))}" for key, one in found.items())
        lines.append(f"{json.dumps(group)}: {{\n{rows}\n}}")
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (pathlib.Path(__file__).parent / "golden.json").write_text(text)
    count = sum(map(len, answers.values()))
    refused = sum("raises" in one for found in answers.values() for one in found.values() if isinstance(one, dict))
    print(f"{count} programs in {len(answers)} groups, {refused} refused; {len(text)} bytes")


if __name__ == "__main__":
    main()
