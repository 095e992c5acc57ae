"""Writes data/quasirandom.json: what PyTorch answers to quasirandom_cases.py.

cd tests/random && PYTHON_WITH_TORCH generate_quasirandom.py
"""

import json
import pathlib

from quasirandom_cases import LINES, told

path = pathlib.Path(__file__).parent / "data/quasirandom.json"
path.write_text("{\n" + ",\n".join(f"{json.dumps(line)}: {json.dumps(told(line))}" for line in LINES) + "\n}\n")
