"""Writes data/distributions.json and data/families.json: what PyTorch answers to distribution_cases.py and family_cases.py.

cd tests/distributions && PYTHON_WITH_TORCH generate_distributions.py
"""

import json
import pathlib
import warnings

from distribution_cases import rows
from family_cases import families

warnings.simplefilter("ignore")
for name, found in (("distributions", rows()), ("families", families())):
    path = pathlib.Path(__file__).parent / f"data/{name}.json"
    path.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found.items()) + "\n}\n")
