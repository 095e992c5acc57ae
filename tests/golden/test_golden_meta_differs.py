"""The rows of meta_differs.toml: answered as on the CPU, otherwise than by PyTorch's meta tensors."""

import pytest
import torch
from golden import meta

ANSWERS = meta.answers()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "code"), [pytest.param(*row, id=": ".join(row)[:100]) for row in meta.differs()])
def test_answers_like_the_cpu(family, code):
    wrong = meta.differing(code, ANSWERS[family][code], torch)
    assert wrong, f"{code} is answered alike: strike it from meta_differs.toml"
    unlike = [(key, got) for key, _, got in wrong if not meta.as_on_the_cpu(code, key, got, torch)]
    assert not unlike, f"{code}: neither as PyTorch nor as on the CPU: {unlike}"
