"""Writes data/windows.json: what PyTorch answers to window_cases.py.

cd tests/signal && PYTHON_WITH_TORCH generate_windows.py
"""

import json
import pathlib

from window_cases import LINES, told

path = pathlib.Path(__file__).parent / "data/windows.json"
path.write_text("{\n" + ",\n".join(f"{json.dumps(line)}: {json.dumps(told(line))}" for line in LINES) + "\n}\n")
