"""Writes tests/nn/data/pooling.* with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate_pooling.py"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch  # noqa: E402
from generate import save  # noqa: E402
from nn_asking import SPACE, ask_function, ask_module, inputs_of, made, operands_of  # noqa: E402
from nn_pooling import FUNCTIONS, MODULES, PRINTED, REFUSED, TWICE  # noqa: E402
from pooling_asking import ask_twice  # noqa: E402


def refused(calls=REFUSED):
    for call, shared in calls.items():
        try:
            eval(call, dict(SPACE))
        except Exception as error:
            text = str(error).splitlines()[0]
            if shared is not None and not text.startswith(shared):
                raise SystemExit(f"{call}: PyTorch says {text}") from error
            yield call, [type(error).__name__, text if shared is None else shared]
        else:
            raise SystemExit(f"PyTorch does not refuse {call}")


def main():
    torch.manual_seed(5)
    rows = {"modules": {}, "functions": {}, "twice": {}}
    for constructor, text in MODULES.items():
        inputs = inputs_of(text)
        rows["modules"][constructor] = {"inputs": inputs, "answer": ask_module(made(constructor), inputs, True)}
    for kind, ask, cases in (("functions", ask_function, FUNCTIONS), ("twice", ask_twice, TWICE)):
        for call, text in cases.items():
            operands = operands_of(text)
            rows[kind][call] = {"operands": operands, "answer": ask(call, operands)}
    save("pooling", rows)
    texts = {expression: str(eval(expression, dict(SPACE))) for expression in PRINTED}
    answers = {"errors": dict(refused()), "texts": texts}
    (HERE / "data/pooling.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
