"""Writes data/masked.json: what PyTorch answers to masked_cases.py.

cd tests/masked && PYTHON_WITH_TORCH generate_masked.py
"""

import json
import pathlib

import masked_cases

found = {"answers": masked_cases.rows(), "texts": {line: masked_cases.text(line) for line in masked_cases.TEXTS}}
parts = []
for name, table in found.items():
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in table.items())
    parts.append(f"{json.dumps(name)}: {{\n{lines}\n}}")
path = pathlib.Path(__file__).parent / "data/masked.json"
path.write_text("{\n" + ",\n".join(parts) + "\n}\n")
