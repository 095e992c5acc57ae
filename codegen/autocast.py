"""How torch.autocast runs operators: the key `autocast` of a declaration, and what has none.

The lists are PyTorch's. A declaration has a policy for the CPU and one for CUDA devices; a compiled operator gets a row
in THPP's tables of casts for each (emitters/autocast.py). Functions of torch.nn.functional that no operator stands for
are listed here; torch/_python_bodies.py, which is generated, tells them.
"""

from .errors import DeclarationError, choices

DEVICES = ("CPU", "CUDA")
# As THPP/Autocast.h has them.
POLICIES = {
    "Lower": "floating-point tensors but float64 become autocast's dtype",
    "Float": "half types become float32",
    "FloatDtype": "the argument `dtype` is float32 where none is given and the first tensor is not float64",
    "Widest": "floating-point tensors become the widest dtype among them, which is autocast's at least",
    "AsGiven": "on no list there, and composed here of operators on one: parts are computed as they stand",
    "Refused": "raises",
    "none": "on no list: as without autocast, but that the parts of a composite are asked",
}

# Functions of torch.nn.functional by their policies.
PYTHON = {
    "Float Float": "cross_entropy nll_loss",
    "Float Widest": "grid_sample",
}


def parse(text, at):
    """(policy, …) of a declaration's `autocast: Lower none`: one for each of DEVICES, None for none."""
    words = text.split()
    for word in words:
        if word not in POLICIES:
            raise DeclarationError(at, f"unknown policy '{word}'; allowed: {choices(POLICIES)}")
    if len(words) != len(DEVICES):
        raise DeclarationError(at, f"autocast has a policy for each of {', '.join(DEVICES)}, not '{text}'")
    return tuple(None if word == "none" else word for word in words)


def of_python(operators):
    """{function's name: policies} of what is called in Python: operators with a body there, and PYTHON."""
    bodies = [found[0] for found in operators.values() if found[0].in_python]
    functions = {o.cname.rpartition(".")[2]: o.autocast for o in bodies if any(o.autocast)}
    return functions | {
        name: parse(text, "codegen/autocast.py") for text, names in PYTHON.items() for name in names.split()
    }
