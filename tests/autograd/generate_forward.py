"""Writes data/forward.json: what PyTorch answers to forward_cases.py.

cd tests/autograd && PYTHON_WITH_TORCH generate_forward.py
"""

import json
import pathlib
import warnings

import forward_cases

warnings.simplefilter("ignore")
lines = ",\n".join(f"{json.dumps(line)}: {json.dumps(said)}" for line, said in forward_cases.rows().items())
(pathlib.Path(__file__).parent / "data/forward.json").write_text("{\n" + lines + "\n}\n")
