"""The functions that C++ has made of operators: those of torch, and those of torch.fft, torch.linalg, torch._nn and
torch.special, which declarations call fft_…, linalg_…, nn_… and special_…."""

from torch._C import _namespace_prefixes, _VariableFunctions


def functions_of(module):
    """{name: function} of torch.`module`, or of torch itself for ""."""
    found = {name: value for name, value in vars(_VariableFunctions).items() if not name.startswith("__")}
    if not module:
        return {name: value for name, value in found.items() if not name.startswith(_namespace_prefixes)}
    prefix = module + "_"
    return {name.removeprefix(prefix): value for name, value in found.items() if name.startswith(prefix)}
