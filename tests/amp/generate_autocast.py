"""Writes data/autocast.json: what PyTorch makes of autocast_cases.py.

cd tests/amp && PYTHON_WITH_TORCH generate_autocast.py
"""

import json
import pathlib
import warnings

import torch
from autocast_cases import CASES, DTYPES, run

warnings.simplefilter("ignore")
found = {
    name: {
        dtype: {grad: run(function, dtype, grad == "recorded") for grad in ("recorded", "plain")} for dtype in DTYPES
    }
    for name, function in CASES.items()
}
path = pathlib.Path(__file__).parent / "data/autocast.json"
text = json.dumps({"torch": torch.__version__.partition("+")[0], "cases": found}, indent=None, separators=(",", ":"))
path.write_text(text.replace('},"', '},\n"') + "\n")
