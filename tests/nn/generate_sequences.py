"""Writes tests/nn/data/sequences.* with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate_sequences.py"""

import json
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch  # noqa: E402
from generate import save  # noqa: E402
from nn_asking import SPACE, operands_of  # noqa: E402
from nn_sequences import FUNCTIONS, PRINTED, REFUSED, TWICE  # noqa: E402
from sequences_asking import ask, ask_twice  # noqa: E402


def refused():
    for call, shared in REFUSED.items():
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
    torch.manual_seed(11)
    warnings.simplefilter("ignore")  # double precision is not oneDNN's
    rows = {"functions": {}, "twice": {}}
    for kind, asked, cases in (("functions", ask, FUNCTIONS), ("twice", ask_twice, TWICE)):
        for call, text in cases.items():
            operands = operands_of(text)
            rows[kind][call] = {"operands": operands, "answer": asked(call, operands)}
    save("sequences", rows)
    texts = {expression: str(eval(expression, dict(SPACE))) for expression in PRINTED}
    answers = {"errors": dict(refused()), "texts": texts}
    (HERE / "data/sequences.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
