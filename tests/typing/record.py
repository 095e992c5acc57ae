"""Records what mypy and pyright say of the programs with PyTorch's own annotations: data/mypy.json, data/pyright.json.

    python tests/typing/record.py --python ORACLE/bin/python [--mypy "mypy"] [--pyright "pyright"]

ORACLE is an environment with PyTorch 2.13 and NumPy. A checker that is not given is not run, and its file stays.
"""

import argparse
import json
import pathlib
import shlex

import checkers

DATA = pathlib.Path(__file__).parent / "data"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True)
    for name in checkers.CHECKERS:
        parser.add_argument(f"--{name}", metavar="COMMAND")
    arguments = parser.parse_args()
    for name, check in checkers.CHECKERS.items():
        if command := getattr(arguments, name):
            report = check(arguments.python, command=shlex.split(command))
            (DATA / f"{name}.json").write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
