"""Runs docs/examples/*.txt, and the sessions in documents, as Python does, and compares; with --write, writes into the former
what came out in place of what stands there.

python tests/docs/run_examples.py [--write] FILE...    the exit status says whether all agree

A session sees torch, nn, F and math, and begins with a fixed seed.
"""

import contextlib
import doctest
import io
import math
import pathlib
import sys
import traceback
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs/site"))
from examples import sections, session_of


def globals_of_a_session():
    torch.manual_seed(0)
    torch.set_printoptions(profile="default")
    torch.set_default_dtype(torch.float32)
    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "math": math}


def rewritten(name, session):
    """The session with what its calls print now."""
    lines, seen = [], globals_of_a_session()
    for example in doctest.DocTestParser().get_examples(session + "\n", name):
        source = example.source.rstrip("\n").split("\n")
        lines += [(">>> " if i == 0 else "... ") + text if text else "..." for i, text in enumerate(source)]
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(example.source, name, "single"), seen)
        except Exception as error:
            told = "".join(traceback.format_exception_only(error)).rstrip()
            lines += ["Traceback (most recent call last):", "    ...", *told.split("\n")]
        else:
            lines += printed.getvalue().rstrip("\n").split("\n") if printed.getvalue() else []
    return "\n".join(lines)


def differences(file):
    """(name, session, what it prints now) of those in a file that say something else; and how many calls it has."""
    found, calls = [], 0
    text = file.read_text()
    for name, session in [(file.name, session_of(text))] if file.suffix == ".md" else sections(text):
        now = rewritten(name, session)
        calls += now.count(">>> ")
        if now != session:
            found.append((name, session, now))
    return found, calls


def main(arguments):
    warnings.simplefilter("ignore")
    wrong, calls = 0, 0
    for file in map(pathlib.Path, (a for a in arguments if a != "--write")):
        if "--write" in arguments:
            texts = sorted(sections(file.read_text()))
            file.write_text("\n\n".join(f"# {name}\n{rewritten(name, session)}" for name, session in texts) + "\n")
            continue
        found, in_file = differences(file)
        for name, session, now in found:
            print(f"{file.name}: {name}\n{session}\n--- prints now:\n{now}\n")
        wrong, calls = wrong + len(found), calls + in_file
    print(f"{calls} calls, {wrong} examples wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
