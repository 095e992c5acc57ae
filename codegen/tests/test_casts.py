"""The lists of torch.autocast, and what is generated from them."""

import pathlib
import re

from codegen import __main__, autocast, load
from codegen.emitters import autocast as emitter
from codegen.emitters import table
from codegen.emitters.cpp import once

CASES = pathlib.Path(__file__).resolve().parents[2] / "tests/amp/autocast_cases.py"


def test_every_operator_of_the_table_is_tried():
    """But those that there are not, and parts of others."""
    tried = set(re.findall(r'^    "(\w+)": lambda', CASES.read_text(), re.MULTILINE))
    absent = {
        *("_addmm_activation", "_convolution", "_native_multi_head_attention", "conv_tbc", "mkldnn_rnn_layer"),
        *("fake_quantize_per_tensor_affine", "_lu_with_info", "cross_entropy_loss", "multilabel_margin_loss_forward"),
        *("grid_sampler", "grid_sampler_2d", "grid_sampler_3d"),
        *("lstm", "rnn_relu", "rnn_tanh"),
    }
    assert set(autocast.POLICIES) - tried == absent


def test_a_name_stands_once():
    names = [name for names in autocast.TABLE.values() for name in names.split()]
    assert len(names) == len(set(names)) == len(autocast.POLICIES)
    assert autocast.policies("nn_huber_loss") == ("Float", "Float") and autocast.policies("add") == (None, None)


def test_rows_and_python_functions_are_all_names():
    operators = load.operators(__main__.DECLARATIONS)
    compiled = {name: found for name, found in operators.items() if not found[0].in_python}
    overloads = once([o for _, found in sorted(compiled.items()) for o in found])
    text = emitter.tables(overloads, table.slots(overloads))
    python = autocast.of_python(operators)
    known = {o.name.removeprefix("nn_"): o.cpp_name for o in overloads}
    for i, kind in enumerate(autocast.DEVICES):
        rows = {name: policy for policy, name in re.findall(rf"ROW\(TH_{kind}, (\w+), \w+, (\w+)\)", text)}
        assert not rows.keys() & python.keys()
        listed = {known[name]: both[i] for name, both in autocast.POLICIES.items() if both[i] and name not in python}
        assert listed == {name: rows[name] for name in listed}
    assert "    ROW(TH_CPU, Lower, mm, mm)\n" in text and "    ROW(TH_CUDA, FloatDtype, sum, sum)\n" in text
