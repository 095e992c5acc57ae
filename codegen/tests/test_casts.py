"""The lists of torch.autocast, and what is generated from them."""

import pathlib
import re

from codegen import __main__, autocast, load
from codegen.emitters import autocast as emitter
from codegen.emitters import table
from codegen.emitters.cpp import once

CASES = pathlib.Path(__file__).resolve().parents[2] / "tests/amp/autocast_cases.py"


def test_every_operator_of_the_lists_is_tried():
    """But those that there are not, and parts of others."""
    tried = set(re.findall(r'^    "(\w+)": lambda', CASES.read_text(), re.MULTILINE))
    absent = {
        *("_addmm_activation", "_convolution", "_native_multi_head_attention", "conv_tbc", "mkldnn_rnn_layer"),
        *("fake_quantize_per_tensor_affine", "_lu_with_info", "cross_entropy_loss", "multilabel_margin_loss_forward"),
        *("grid_sampler", "grid_sampler_2d", "grid_sampler_3d"),
        *("lstm", "rnn_relu", "rnn_relu_cell", "rnn_tanh", "rnn_tanh_cell"),
    }
    assert set(autocast.POLICIES) - tried == absent


def test_a_name_is_on_one_list():
    names = [*autocast.LOWER, *autocast.FLOAT, *autocast.WIDEST, *autocast.AS_GIVEN]
    assert len(names) == len(set(names))


def test_rows_and_python_functions_are_all_names():
    operators = load.operators(__main__.DECLARATIONS)
    compiled = {name: found for name, found in operators.items() if not found[0].in_python}
    overloads = once([o for _, found in sorted(compiled.items()) for o in found])
    text = emitter.table(overloads, table.slots(overloads))
    rows = {name.removeprefix("nn_") for name in re.findall(r"return thpp::(\w+)\(", text)}
    python = autocast.of_python(operators)
    assert not rows & set(python)
    known = {o.name.removeprefix("nn_"): o.cpp_name.removeprefix("nn_") for o in overloads}
    assert {known.get(name, name) for name in autocast.POLICIES} - set(python) <= rows
    assert "const Casting as(Cast::Lower, self, mat2);\n          return thpp::mm(as(self), as(mat2));" in text
    assert "const Casting as(Cast::Widest, tensors);" in text
