"""Writes golden.json: what PyTorch answers to the programs of sparse_cases, and files.json: what it saves. Run it with PyTorch 2.13, from a folder that
holds no torch/:

    cd /tmp && /tmp/oracle/bin/python …/tests/sparse/record.py

Where PyTorch refuses, the answer has what the same program gives of dense operands ("dense"), if it gives something. Programs
whose sparse and dense results have different values, or whose result breaks its own rules, are printed: these are PyTorch's mistakes, or what sparse means.
"""

import base64
import io
import json
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import sparse_cases  # noqa: E402
import sparse_codec  # noqa: E402
import sparse_programs  # noqa: E402

MISTAKES = []  # what the table says and PyTorch does not


def of_result(result):
    """A sparse result as a dense one, or nothing where PyTorch made one that it cannot read."""
    try:
        return sparse_codec.encode(torch, sparse_programs.as_dense(torch, result))
    except Exception:
        return "f64 0:"


def of_dense(program):
    """What a program gives of dense operands, or None; what is in empty memory is nobody's."""
    if "empty" in program.source or "resize" in program.source or ".new(" in program.source:
        return None
    try:
        tensors = sparse_programs.made(torch, program.source, dense=True)
        result = sparse_programs.run(torch, program, tensors, program.dense)
        return sparse_codec.encode(torch, sparse_programs.as_dense(torch, result))
    except Exception:
        return None


def check(program, result):
    """Print what is odd about a result of PyTorch's."""
    if program.wrt or not isinstance(result, torch.Tensor) or result.device.type != "cpu":
        return
    if wrong := sparse_codec.wrongs(torch, result):
        print(f"{program.source}\n    is no valid tensor: {wrong}")
    dense, own = of_dense(program), of_result(result)
    if isinstance(dense, str) and not sparse_codec.same(dense, own):
        print(f"{program.source}\n    dense:  {dense}\n    sparse: {own}")


def refusal(program, error):
    """The answer where PyTorch raises an exception."""
    answer = {"raises": type(error).__name__}
    if program.says:
        answer["says"] = program.says
        if program.says not in str(error):
            MISTAKES.append(f"{program.source}\n    says {error}\n    not {program.says}")
    elif not program.bad and (dense := of_dense(program)) is not None:
        answer["dense"] = dense
    return answer


def answer(program):
    try:
        result = sparse_programs.run(torch, program, sparse_programs.made(torch, program.source))
        encoded = sparse_codec.encode(torch, result)
    except Exception as error:
        return refusal(program, error)
    if program.bad:
        MISTAKES.append(f"{program.source}\n    should be refused and gives {encoded}")
    check(program, result)
    return encoded


def write_files():
    """What torch.save writes of some operands, in base64."""
    files = {}
    for name in sparse_programs.SAVED:
        file = io.BytesIO()
        torch.save(sparse_programs.made(torch, name)[name], file)
        files[name] = base64.b64encode(file.getvalue()).decode()
    sparse_programs.FILES.write_text(json.dumps(files, indent=0) + "\n")


def main():
    torch.set_num_threads(1)
    write_files()
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
