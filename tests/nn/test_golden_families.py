"""Each family of torch.nn against PyTorch's answers: results, gradients of both orders, texts and errors."""

import pytest
from nn_errors import REFUSED
from nn_golden import FAMILIES, agree, agree_on_refusal, cases, stored, told
from nn_oracle import printed, refusal

OWN = {"FLOATS", "DTYPES"}  # compared by the dtype of the result: test_golden_pointwise.py, test_golden_vision.py
ASKED = [
    pytest.param(family, kind, ask, call, id=f"{family}-{kind}-{call}")
    for family, of in FAMILIES.items()
    for kind, ask in of.kinds.items()
    if kind not in OWN
    for call in stored(family)[kind]
]
PRINTED = [("texts", text, answer) for text, answer in told("texts").items()] + [
    (family, text, answer) for family in FAMILIES for text, answer in told(family).get("texts", {}).items()
]
REFUSALS = [("errors", call, shared, told("errors")[call]) for call, shared in REFUSED.items()] + [
    (family, call, shared, told(family)["errors"][call])
    for family in FAMILIES
    for call, shared in cases(family).REFUSED.items()
]


def near(family, call):
    if family != "normalization":
        return 1e-7, 1e-9
    # In half types PyTorch keeps statistics of half as many digits.
    return (2e-2, 2e-2) if "half" in call or "bfloat16" in call else (1e-5, 1e-6) if "float" in call else (1e-7, 1e-9)


@pytest.mark.filterwarnings("ignore:reduction.*batchmean")
@pytest.mark.parametrize(("family", "kind", "ask", "call"), ASKED)
def test_answer(family, kind, ask, call):
    row = stored(family)[kind][call]
    agree(ask(call, row["operands"]), row["answer"], "", near(family, call))


@pytest.mark.parametrize(("family", "expression", "text"), PRINTED)
def test_text(family, expression, text):
    assert printed(expression) == text


@pytest.mark.parametrize(("family", "call", "shared", "answer"), REFUSALS)
def test_error(family, call, shared, answer):
    agree_on_refusal(refusal(call), answer, shared)
