"""Writes schemas.txt: for each overload of PyTorch's that has a schema here, the first digits of its schema's SHA-256 there,
and = where ours is equal.

cd codegen/tests && PYTHON_WITH_TORCH generate_schemas.py OURS, where OURS is a torch/_operators.py

PyTorch's texts are not kept.
"""

import hashlib
import pathlib
import runpy
import sys

import torch

LIST = pathlib.Path(__file__).parent / "schemas.txt"


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


ours = runpy.run_path(sys.argv[1])["SCHEMAS"]
there = {}
for schema in torch._C._jit_get_all_schemas():
    name = schema.name.removeprefix("aten::")
    text = ours.get(name, {}).get(schema.overload_name or "default")
    if text and schema.name.startswith("aten::"):
        equal = " =" if str(schema) == text else ""
        there[f"{name}.{schema.overload_name or 'default'}"] = f"{digest(str(schema))}{equal}"
lines = [f"{name} {rest}\n" for name, rest in sorted(there.items())]
LIST.write_text(f"# generate_schemas.py, PyTorch {torch.__version__.partition('+')[0]}\n" + "".join(lines))
