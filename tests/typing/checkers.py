"""What mypy and pyright say of programs, in a form that can be compared: the types that they reveal and the lines that
they find wrong."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))

# Names of modules, which are where a class happens to be defined.
_MODULES = re.compile(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])")


def plain(shown):
    """A revealed type without the names of modules, and spelled in one way."""
    shown = _MODULES.sub("", shown).replace("*", "")
    shown = re.sub(r"\bUnion\[([^\[\]]*)\]", lambda m: " | ".join(m[1].split(", ")), shown)
    shown = re.sub(r"\bOptional\[([^\[\]]*)\]", r"\1 | None", shown)
    shown = re.sub(r", fallback=\w+(\[[^\]]*\])?", "", shown)
    shown = re.sub(r"\bTuple\[", "tuple[", shown).replace("List[", "list[").replace("Dict[", "dict[")
    if " | " in shown and "[" not in shown and "(" not in shown:
        shown = " | ".join(sorted(shown.split(" | ")))
    return shown


def _collected(found):
    """{program: {"types": {line: type}, "errors": [lines]}} of (file, line, revealed type or None)."""
    report = {path.stem: {"types": {}, "errors": []} for path in PROGRAMS}
    for file, line, shown in sorted(set(found), key=str):
        program = report[pathlib.Path(file).stem]
        if shown is None:
            program["errors"].append(line)
        else:
            program["types"][str(line)] = plain(shown)
    for program in report.values():
        program["errors"].sort()
        program["types"] = dict(sorted(program["types"].items(), key=lambda item: int(item[0])))
    return report


def _copies(folder):
    """Copies the programs to a folder that has no torch beside it; their names there."""
    return [shutil.copy(path, folder) for path in PROGRAMS]


def mypy(python, command=(sys.executable, "-m", "mypy")):
    """What mypy says, with the torch of the interpreter `python`."""
    with tempfile.TemporaryDirectory() as scratch:
        options = ["--no-error-summary", "--no-pretty", "--hide-error-context", "--check-untyped-defs"]
        options += ["--config-file", os.devnull, "--cache-dir", f"{scratch}/cache", "--python-executable", python]
        run = subprocess.run([*command, *options, *_copies(scratch)], capture_output=True, text=True, cwd=scratch)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"mypy ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    found = []
    for text in run.stdout.splitlines():
        if match := re.match(r"(.*?\.py):(\d+): (error|note): (.*)", text):
            file, line, kind, message = match.groups()
            shown = re.match(r'Revealed type is "(.*)"$', message)
            if shown or kind == "error":
                found.append((file, int(line), shown and shown[1]))
    return _collected(found)


def pyright(python, command=("pyright",)):
    """What pyright says, with the torch of the interpreter `python`."""
    with tempfile.TemporaryDirectory() as scratch:
        _copies(scratch)
        # An expression alone is how a type is shown here.
        config = {"include": ["."], "typeCheckingMode": "standard", "reportUnusedExpression": False}
        (pathlib.Path(scratch) / "pyrightconfig.json").write_text(json.dumps(config))
        run = subprocess.run(
            [*command, "--outputjson", "-p", scratch, "--pythonpath", python],
            capture_output=True,
            text=True,
            cwd=scratch,
        )
    if run.returncode not in (0, 1):
        raise RuntimeError(f"pyright ended with {run.returncode}:\n{run.stdout}{run.stderr}")
    found = []
    for each in json.loads(run.stdout)["generalDiagnostics"]:
        shown = re.match(r'Type of ".*" is "(.*)"$', each["message"], re.DOTALL)
        if shown or each["severity"] == "error":
            found.append((each["file"], each["range"]["start"]["line"] + 1, shown and shown[1]))
    return _collected(found)


CHECKERS = {"mypy": mypy, "pyright": pyright}
