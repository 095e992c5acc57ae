"""Records PyTorch's answers to flex_cases.py: run it with PyTorch 2.13, from a folder without a torch of its own."""

import json
import pathlib
import warnings

import flex_cases

HERE = pathlib.Path(__file__).parent

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    recorded = {
        "attention": {name: flex_cases.answers(**options) for name, options in flex_cases.CASES.items()},
        "masks": {name: flex_cases.mask_answers(name) for name in flex_cases.MASKS},
    }
    (HERE / "data" / "flex_attention.json").write_text(json.dumps(recorded, sort_keys=True) + "\n")
