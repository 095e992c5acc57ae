"""What `python -m codegen facts` counts, held to its goals. A bound that is undercut is lowered here."""

import pytest

from codegen import facts
from codegen.__main__ import DECLARATIONS
from codegen.load import operators


@pytest.fixture(scope="module")
def declared():
    return operators(DECLARATIONS)


def test_bodies_by_hand(declared):
    counted = facts.roads(declared)
    assert counted["by hand"] <= 0.48 * sum(counted.values()), counted
    assert {"kernel of TH", "kernel of THNN", "call of another operator", "Python function"} <= counted.keys()


def test_sentences_are_found():
    text = """
    THError(TH_ERROR_RUNTIME, "one %s "
            "sentence", x);
    other("no error");
    THError(TH_ERROR_INDEX, "a \\"word\\"");"""
    assert list(facts.sentences(text)) == ["one %s sentence", 'a \\"word\\"']


def test_no_sentence_stands_in_two_layers():
    repeated = facts.repeated_sentences()
    assert repeated == {"TH, THNN, THS / THPP": {}, "csrc/autograd / csrc/python": {}}


def test_helpers_stand_where_they_are_called(declared):
    assert facts.family("linalg_solving", ["linalg", "linalg_python", "linear"]) == "linalg"
    assert not facts.misplaced_helpers(declared)


# Lines that ask on which device a tensor is, and why they may.
DEVICES = {
    "csrc/autograd/formulas/linalg_decompositions.cpp": "looks at elements, which meta has none of",
    "csrc/autograd/formulas/linalg_solving.cpp": "looks at elements, which meta has none of",
    "csrc/autograd/formulas/scan.cpp": "looks at elements, which meta has none of",
    "lib/THPP/src/creation/creation.cpp": "names the device of out= that is not the one asked for",
    "lib/THPP/src/kit/autocast.cpp": "autocast is switched on per device",
    "lib/THPP/src/kit/backend.cpp": "chooses the backend",
    "lib/THPP/src/kit/dispatch.h": "meta prepares for every dtype",
    "lib/THPP/src/nn/optimizer.cpp": "parameters of one step lie on one device",
    "lib/THPP/src/reduce/reduction.cpp": "meta prepares for every dtype",
    "lib/THPP/src/shape/assembling.cpp": "names the device in a refusal",
    "lib/THPP/src/shape/selection.cpp": "names the devices of an index and of what it is applied to",
    "lib/THPP/src/shape/structure.cpp": "copies between devices",
}


def test_bodies_do_not_ask_for_devices():
    asked = {file for file, _ in facts.device_questions()}
    assert asked == DEVICES.keys()
