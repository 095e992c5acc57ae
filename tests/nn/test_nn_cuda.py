"""Every golden case of torch.nn on a GPU: results, gradients and gradients of gradients as PyTorch answered on the CPU.

What is refused there, or is otherwise, and why, stands in cuda_differs.toml; a case of it that works is a failure, too."""

import pathlib
import re
import tomllib

import pytest
import torch

if not torch.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

from nn_device import cases, differing

CASES = cases()
LISTED = {
    call: (group["reason"], re.compile(group["said"]))
    for group in tomllib.loads(pathlib.Path(__file__).with_name("cuda_differs.toml").read_text()).get("group", [])
    for call in group["calls"]
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CASES)
def test_answers_like_the_cpu(call):
    said = differing(CASES[call], "cuda")
    if call not in LISTED:
        assert not said, said
        return
    assert said, f"{call} is answered alike: strike it from cuda_differs.toml"
    reason, expected = LISTED[call]
    assert expected.match(said), f"{reason}\n{said}"


def test_listed_cases_are_there():
    assert not LISTED.keys() - CASES.keys()


def test_a_wrong_answer_is_found():
    call = next(name for name in CASES if name.startswith("functions"))
    ask, answer = CASES[call]
    assert not differing((ask, answer), "cuda")
    wrong = {**answer, "result": [t + 1e-4 if isinstance(t, torch.Tensor) else t for t in answer["result"]]}
    assert differing((ask, wrong), "cuda").startswith("differs")
