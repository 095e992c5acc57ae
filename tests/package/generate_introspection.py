"""Writes data/introspection.json: what real PyTorch says of itself.

cd /tmp && /tmp/oracle/bin/python …/tests/package/generate_introspection.py
"""

import json
import pathlib

import introspection
import torch

HERE = pathlib.Path(__file__).parent / "data"


def main():
    """Writes the file."""
    signatures = {}
    for path in introspection.MODULES:
        for name, function in introspection.public_functions(path):
            text = introspection.signature_text(function)
            if text not in (None, introspection.SAYS_NOTHING):
                signatures[f"{path}.{name}"] = text
    modules = {
        name: introspection.hints_of(value)
        for name, value in sorted(vars(torch.nn).items())
        if isinstance(value, type) and issubclass(value, torch.nn.Module)
    }
    common = modules["Module"]
    # What each has beyond Module, whose own come first.
    own = {
        name: {key: text for key, text in hints.items() if name == "Module" or common.get(key) != text}
        for name, hints in modules.items()
    }
    HERE.mkdir(exist_ok=True)
    text = json.dumps({"torch": torch.__version__, "signatures": signatures, "hints": own}, indent=0)
    (HERE / "introspection.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
