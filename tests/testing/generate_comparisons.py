"""Writes data/comparisons.json: what PyTorch answers to comparison_cases.py.

cd tests/testing && PYTHON_WITH_TORCH generate_comparisons.py
"""

import json
import pathlib

from comparison_cases import LINES, told

path = pathlib.Path(__file__).parent / "data/comparisons.json"
path.write_text(json.dumps({line: told(line) for line in LINES}, indent=1) + "\n")
