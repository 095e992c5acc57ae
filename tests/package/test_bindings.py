"""What is bound in C++ is what Python sees: nothing stands in its place."""

import pytest
import torch
from torch._tensor import _method

FUNCTIONS = {name: value for name, value in vars(torch._C._VariableFunctions).items() if not name.startswith("__")}
NAMESPACES = [prefix.removesuffix("_") for prefix in torch._C._namespace_prefixes]


def test_every_function_is_found_under_its_name():
    """linalg_inv in torch.linalg, and there only."""
    assert len(FUNCTIONS) > 500
    for name, function in FUNCTIONS.items():
        module, _, rest = name.partition("_")
        if module in NAMESPACES and rest:
            assert vars(getattr(torch, "_nn" if module == "nn" else module))[rest] is function, name
            assert name not in vars(torch)
        else:
            assert vars(torch)[name] is function, name


def test_names_in_a_namespace_are_no_methods():
    assert torch.special.expit.__name__ == "special_expit"
    assert torch.special.expit(torch.zeros(2)).tolist() == torch.sigmoid(torch.zeros(2)).tolist()
    assert not [name for name in dir(torch.Tensor) if name.startswith(tuple(f"{module}_" for module in NAMESPACES))]


def test_a_method_in_python_hides_no_other():
    before = torch.Tensor.add

    def add(self):
        return self

    with pytest.raises(SystemError, match=r"^torch\.Tensor\.add is bound already: <method 'add'"):
        _method(add)
    assert torch.Tensor.add is before
