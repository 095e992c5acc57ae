"""The rows of meta_differs.toml: answered otherwise than by PyTorch's meta tensors, mostly as on the CPU."""

import pytest
import torch
from golden import meta

ANSWERS = meta.answers()
ROWS = [pytest.param(family, code, id=f"{family}: {code}"[:100]) for family, code in meta.differs()]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "code"), ROWS)
def test_answers_like_the_cpu(family, code):
    wrong = meta.differing(code, ANSWERS[family][code], torch)
    assert wrong, f"{code} is answered alike: strike it from meta_differs.toml"
    like = meta.differs()[family, code]
    unlike = [(key, got) for key, _, got in wrong if not meta.is_like(like, code, key, got, torch)]
    assert not unlike, f"{code}: neither as PyTorch nor like {like}: {unlike}"
