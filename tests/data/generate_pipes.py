"""Writes pipes.json with PyTorch's answers: cd /tmp && /tmp/oracle/bin/python …/tests/data/generate_pipes.py"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import pipes_oracle  # noqa: E402
import pipes_rules  # noqa: E402, F401 - its cases
import pipes_steps  # noqa: E402, F401 - its cases
import stream  # noqa: E402
import torch  # noqa: E402


def row(name, function):
    draws = []
    with stream.written_down(draws):
        said = pipes_oracle.answer(function)
    return {"name": name, "draws": draws, "said": said}


def main():
    rows = ",\n".join(json.dumps(row(*case), ensure_ascii=False) for case in pipes_oracle.CASES.items())
    text = f'{{\n"torch": {json.dumps(torch.__version__)},\n"cases": [\n{rows}\n]\n}}\n'
    (HERE / "pipes.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
