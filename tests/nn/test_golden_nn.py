"""torch.nn against PyTorch's answers: results, gradients of inputs and parameters, states."""

import pickle

import pytest
from nn_golden import agree, stored
from nn_oracle import ask_function, ask_module, flat, made

MODULES, FUNCTIONS = stored("modules"), stored("functions")


@pytest.mark.parametrize("constructor", MODULES)
def test_module(constructor):
    row = MODULES[constructor]
    module = made(constructor)
    module.load_state_dict(row["before"])
    for mode in ("train", "eval"):
        agree(ask_module(module, row["inputs"], mode == "train"), row[mode], mode)


def test_pickled_models():
    for constructor, (module, inputs, result) in stored("models", weights_only=False).items():
        agree(flat(module(*inputs)), result, constructor)
        again = pickle.loads(pickle.dumps(module))
        agree(flat(again(*inputs)), result, constructor)
        assert type(made(constructor)) is type(module)


@pytest.mark.parametrize("call", FUNCTIONS)
def test_function(call):
    row = dict(FUNCTIONS[call])
    operands = row.pop("operands")
    agree(ask_function(call, operands), row, "")
