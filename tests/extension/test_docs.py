"""docs/extending.md: its examples run and print what they should."""

import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parent.parent.parent / "docs/extending.md"
EXAMPLES = re.findall(r"runs this -->\n```python\n(.*?)```", DOCS.read_text(), re.S)
PRINTED = ["tensor([0.2500, 0.2500, 0.2500])\n", "tensor([0.5000, 0.5000, 0.5000])\n"]


@pytest.mark.parametrize("code, printed", zip(EXAMPLES, PRINTED, strict=True), ids=["sigmoid", "swish"])
def test_example(python, code, printed):
    assert python(code) == printed
