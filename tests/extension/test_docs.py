"""docs/extending.md: its first example runs and prints what it should."""

import pathlib
import re

DOCS = pathlib.Path(__file__).parent.parent.parent / "docs/extending.md"


def test_first_example(python):
    code = re.search(r"runs this -->\n```python\n(.*?)```", DOCS.read_text(), re.S)[1]
    assert python(code) == "tensor([0.2500, 0.2500, 0.2500])\n"
