"""Writes tests/nn/data/attention.* with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate_attention.py"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch  # noqa: E402
from generate import save  # noqa: E402
from nn_asking import SPACE, ask_function, operands_of  # noqa: E402
from nn_attention import EMPTY, FUNCTIONS, REFUSED  # noqa: E402


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
    torch.manual_seed(7)
    rows, nodes, shared = {}, {}, {}  # operands that several cases have are stored once
    for call, text in (FUNCTIONS | EMPTY).items():
        operands = shared.get(text) or shared.setdefault(text, operands_of(text))
        rows[call] = {"operands": operands, "answer": ask_function(call, operands)}
        if call in FUNCTIONS:
            nodes[call] = eval(call, {**SPACE, **operands}).grad_fn.name()
    save("attention", rows)
    (HERE / "data/attention.json").write_text(json.dumps({"errors": dict(refused()), "nodes": nodes}, indent=1) + "\n")


if __name__ == "__main__":
    main()
