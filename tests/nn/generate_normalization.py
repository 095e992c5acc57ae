"""Writes tests/nn/data/normalization.* with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate_normalization.py"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch  # noqa: E402
from generate import save  # noqa: E402
from generate_pooling import refused  # noqa: E402
from nn_asking import SPACE, ask_function, operands_of  # noqa: E402
from nn_normalization import FUNCTIONS, PRINTED, REFUSED, TWICE  # noqa: E402
from pooling_asking import ask_twice  # noqa: E402


def main():
    torch.manual_seed(6)
    rows = {"functions": {}, "twice": {}}
    for kind, ask, cases in (("functions", ask_function, FUNCTIONS), ("twice", ask_twice, TWICE)):
        for call, text in cases.items():
            operands = operands_of(text)
            rows[kind][call] = {"operands": operands, "answer": ask(call, operands)}
    save("normalization", rows)
    texts = {expression: str(eval(expression, dict(SPACE))) for expression in PRINTED}
    answers = {"errors": dict(refused(REFUSED)), "texts": texts}
    (HERE / "data/normalization.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
