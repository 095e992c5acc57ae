"""Writes data/distributions.json: what PyTorch answers to distribution_cases.py.

cd tests/distributions && PYTHON_WITH_TORCH generate_distributions.py
"""

import json
import pathlib
import warnings

from distribution_cases import rows

warnings.simplefilter("ignore")
path = pathlib.Path(__file__).parent / "data/distributions.json"
path.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in rows().items()) + "\n}\n")
