"""Writes golden.json with PyTorch's answers: cd /tmp && /tmp/oracle/bin/python …/tests/data/generate.py"""

import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import cases  # noqa: E402
import numpy  # noqa: E402
import stream  # noqa: E402
import torch  # noqa: E402
from torch.utils.data._utils.worker import _generate_state  # noqa: E402


def of_seed(base_seed, worker):
    """The first numbers of Python and NumPy in a worker."""
    random.seed(base_seed + worker)
    numpy.random.seed(_generate_state(base_seed, worker))
    return [base_seed, worker, random.random(), numpy.random.rand()]


def of_stream(line):
    draws = []
    torch.manual_seed(0)
    with stream.written_down(draws):
        said = cases.answer(line)
    return {"line": line, "draws": draws, "said": said}


def main():
    golden = {
        "torch": torch.__version__,
        "seeds": [of_seed(base, worker) for base in (0, 7, 2**31 + 5, 2**63 - 99) for worker in (0, 1, 31)],
        "streams": [of_stream(line) for line in cases.lines(cases.STREAMS)],
        "cases": [{"line": line, "said": cases.answer(line)} for line in cases.lines(cases.CASES)],
    }
    rows = {key: value for key, value in golden.items() if isinstance(value, list)}
    text = "{\n" + json.dumps("torch") + ": " + json.dumps(golden["torch"])
    for key, values in rows.items():
        text += f",\n{json.dumps(key)}: [\n" + ",\n".join(json.dumps(v, ensure_ascii=False) for v in values) + "\n]"
    (HERE / "golden.json").write_text(text + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
