"""Writes tests/autograd/data/behaviour.json with PyTorch: cd /tmp && /tmp/oracle/bin/python …/generate_behaviour.py"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from snippets import record, snippets  # noqa: E402

if __name__ == "__main__":
    rows = {code: record(code) for code in snippets()}
    (HERE / "data/behaviour.json").write_text(json.dumps(rows, indent=0, ensure_ascii=False) + "\n")
