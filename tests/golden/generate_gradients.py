"""Ask the real PyTorch for the gradients of every golden case and write ../autograd/data/gradients.json.

    cd /tmp && /tmp/oracle/bin/python …/tests/golden/generate_gradients.py [family …]

Which cases, and what is written of them: golden/gradients.py. With families only theirs are asked again.
"""

import json
import pathlib
import sys
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from golden import gradients  # noqa: E402
from golden.cases import FAMILIES  # noqa: E402
from golden.generate import VERSION  # noqa: E402


def answers_of(table):
    groups = {}
    for row in table:
        found = {key: gradients.evaluate(row, key, torch) for key in gradients.keys_of(row)}
        if found:
            groups.setdefault(row.code, {}).update(found)
    return groups


def text_of(families):
    """One line per case, grouped by family and code."""
    blocks = []
    for family, codes in families.items():
        groups = []
        for code, cases in codes.items():
            lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(answer)}" for key, answer in cases.items())
            groups.append(f"{json.dumps(code)}: {{\n{lines}}}")
        blocks.append(f"{json.dumps(family)}: {{\n" + ",\n".join(groups) + "}")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def main(names):
    if torch.__version__.split("+")[0] != VERSION:
        raise SystemExit(f"golden data is made with PyTorch {VERSION}, this is {torch.__version__}")
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    found = gradients.answers() if names else {}
    for family in names or FAMILIES:
        if family not in gradients.LEFT_OUT:
            found[family] = answers_of(FAMILIES[family])
            print(f"{family:15} {sum(map(len, found[family].values())):5} cases")
    gradients.DATA.parent.mkdir(parents=True, exist_ok=True)
    gradients.DATA.write_text(text_of({family: found[family] for family in FAMILIES if family in found}))
    print(f"{gradients.DATA.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
