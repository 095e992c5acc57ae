"""Writes tests/nn/data/vision.* with PyTorch: cd /tmp && /tmp/oracle/bin/python …/tests/nn/generate_vision.py"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch  # noqa: E402
from generate import save  # noqa: E402
from nn_asking import SPACE, ask_function, operands_of  # noqa: E402
from nn_vision import DTYPES, FUNCTIONS, NAMED, REFUSED, TWICE  # noqa: E402
from pooling_asking import ask_twice  # noqa: E402
from vision_asking import ask_dtype, ask_names  # noqa: E402


def refused():
    for call, shared in REFUSED.items():
        try:
            eval(call, dict(SPACE))
        except Exception as error:
            text = str(error).split("\nException raised")[0]
            if shared is not None and not text.startswith(shared):
                raise SystemExit(f"{call}: PyTorch says {text}") from error
            yield call, [type(error).__name__, text if shared is None else shared]
        else:
            raise SystemExit(f"PyTorch does not refuse {call}")


def main():
    torch.manual_seed(6)
    rows = {}
    for kind, ask, cases in (
        ("functions", ask_function, FUNCTIONS),
        ("twice", ask_twice, TWICE),
        ("dtypes", ask_dtype, DTYPES),
    ):
        rows[kind] = {}
        for call, text in cases.items():
            operands = operands_of(text)
            rows[kind][call] = {"operands": operands, "answer": ask(call, operands)}
    save("vision", rows)
    names = {call: ask_names(call, operands_of(TWICE[call])) for call in NAMED}
    (HERE / "data/vision.json").write_text(json.dumps({"errors": dict(refused()), "names": names}, indent=1) + "\n")


if __name__ == "__main__":
    main()
