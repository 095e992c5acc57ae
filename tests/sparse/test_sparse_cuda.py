"""Every sparse program on a GPU: it answers as on the CPU, with the same members and flags, and refuses in the same words.
Random ones answer as dense ones do.

What cannot answer so, and why, stands in OTHERWISE; a program of it that answers alike is a failure, too."""

import pytest
import torch

if not torch.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

import sparse_cases
import sparse_device
import test_sparse_fuzz

SHOWN = 6  # differences listed per group
OTHERWISE = {
    "asks for the device": [
        "a.get_device()",
        "hu.get_device()",
        "g.get_device()",
        "torch.get_device(a)",
        'a.to("cpu") is a, a.double() is a, a.to(torch.float64) is a, r.to("cpu") is r',
    ],
    "a tensor on a GPU is of another type": [
        "isinstance(a_f32, torch.sparse.FloatTensor)",
        "isinstance(a, torch.sparse.DoubleTensor)",
    ],
    "that elements are elsewhere is found before that there are none in a row": ["a.numpy()", "r.numpy()"],
}
LISTED = {key for keys in OTHERWISE.values() for key in keys}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("group", sparse_cases.GROUPS)
def test_answers_like_the_cpu(group):
    said = {program.key: sparse_device.differing(program) for program in sparse_cases.GROUPS[group]}
    wrong = [f"[{key}]\n    {text}" for key, text in said.items() if text and key not in LISTED]
    assert not wrong, f"{group}: {len(wrong)} of {len(said)}\n" + "\n".join(wrong[:SHOWN])
    alike = [key for key, text in said.items() if not text and key in LISTED]
    assert not alike, f"{group}: these answer alike: strike them from OTHERWISE: {alike}"


@pytest.mark.parametrize("batch", range(4))
def test_programs_of_random_operators(batch):
    """On a GPU they answer as dense ones do there."""
    with torch.device("cuda"):
        test_sparse_fuzz.test_programs_of_random_operators(batch)


def test_listed_programs_are_there():
    assert LISTED <= {program.key for programs in sparse_cases.GROUPS.values() for program in programs}


def test_a_wrong_answer_is_found(monkeypatch):
    program = next(p for p in sparse_cases.GROUPS["add"] if p.source == "a + b")
    assert not sparse_device.differing(program)
    right = sparse_device.sparse_programs.run
    here = torch.zeros(1).device

    def run(torch, program, tensors):
        result = right(torch, program, tensors)
        return result if result.device == here else result * 1.01

    monkeypatch.setattr(sparse_device.sparse_programs, "run", run)
    assert sparse_device.differing(program).startswith("want")
