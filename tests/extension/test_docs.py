"""docs/extending.md: its examples run and print what they should."""

import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parent.parent.parent / "docs/extending.md"
EXAMPLES = re.findall(r"runs this -->\n```python\n(.*?)```", DOCS.read_text(), re.S)
PRINTED = {
    "sigmoid": "tensor([0.2500, 0.2500, 0.2500])\n",
    "swish": "tensor([0.5000, 0.5000, 0.5000])\n",
    "custom_op": "tensor([0.5000, 0.5000, 0.5000]) {'SUCCESS'}\n",
    "TORCH_LIBRARY": "tensor([8., 8.]) mylib::often(Tensor _0, int _1) -> Tensor\n",
}


@pytest.mark.parametrize("code, printed", zip(EXAMPLES, PRINTED.values(), strict=True), ids=PRINTED)
def test_example(python, code, printed):
    assert python(code) == printed
