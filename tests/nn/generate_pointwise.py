"""Writes tests/nn/data/pointwise.* with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate_pointwise.py"""

import json
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch  # noqa: E402
from generate import save  # noqa: E402
from nn_asking import SPACE, ask_function, operands_of  # noqa: E402
from nn_pointwise import FLOATS, NODES, ONCE, REFUSED, TWICE  # noqa: E402
from pooling_asking import ask_twice  # noqa: E402


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
    warnings.simplefilter("ignore")
    torch.manual_seed(12)
    rows = {"twice": {}, "once": {}, "floats": {}}
    for kind, ask, cases in (
        ("twice", ask_twice, TWICE),
        ("once", ask_function, ONCE),
        ("floats", ask_function, FLOATS),
    ):
        for call, text in cases.items():
            operands = operands_of(text)
            rows[kind][call] = {"operands": operands, "answer": ask(call, operands)}
    save("pointwise", rows)
    nodes = {call: eval(call, dict(SPACE)).grad_fn.name() for call in NODES}
    (HERE / "data/pointwise.json").write_text(json.dumps({"errors": dict(refused()), "nodes": nodes}, indent=1) + "\n")


if __name__ == "__main__":
    main()
