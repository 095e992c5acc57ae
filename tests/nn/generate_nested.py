"""Records PyTorch's answers to nested_cases.py: run it with PyTorch 2.13, from a folder without a torch of its own."""

import json
import pathlib
import warnings

import nested_cases

HERE = pathlib.Path(__file__).parent

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    recorded = {
        "cases": {name: nested_cases.answer(call) for name, call in nested_cases.CASES.items()},
        "gradients": nested_cases.gradient_answers(),
    }
    (HERE / "data" / "nested.json").write_text(json.dumps(recorded, sort_keys=True) + "\n")
