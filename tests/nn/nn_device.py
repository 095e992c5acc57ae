"""The golden cases of torch.nn once more on a device: operands, modules and the tensors that a call makes are there, and what
comes back is compared on the CPU with what PyTorch answered there."""

import torch
from nn_golden import FAMILIES, agree, ask_in_training, stored
from nn_oracle import ask_function, ask_module, made

EXACT = (1e-7, 1e-9)
# How far off results of a dtype may be: kernels of a device add in another order.
NEAR = {
    torch.float16: (4e-3, 4e-3),
    torch.bfloat16: (3e-2, 3e-2),
    torch.float32: (1e-5, 1e-5),
    torch.complex64: (1e-5, 1e-5),
}


def moved(value, device):
    """A value with all its tensors on the device; leaves stay leaves."""
    if isinstance(value, dict):
        return {name: moved(item, device) for name, item in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(moved(item, device) for item in value)
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().to(device).requires_grad_(value.requires_grad)


def near_of(value):
    """The tolerance of the narrowest dtype among the tensors of a value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return max(map(near_of, value), default=EXACT)
    return NEAR.get(value.dtype, EXACT) if isinstance(value, torch.Tensor) else EXACT


def made_there(constructor, device):
    """A module that is made on the CPU, whatever device is the default, and moved."""
    with torch.device("cpu"):
        module = made(constructor)
    return module.to(device)


def in_both_modes(constructor, row, device):
    module = made_there(constructor, device)
    module.load_state_dict(row["before"])
    inputs = moved(row["inputs"], device)
    return [ask_module(module, inputs, training) for training in (True, False)]


def of_family(ask, call, row, device):
    operands = moved(row["operands"], device)
    if ask is ask_in_training:
        return ask_module(made_there(call, device), operands, True)
    return ask(call, operands)


def cases():
    """{"table: call": (the function of a device that gives our answer, PyTorch's)}"""
    found = {}
    for constructor, row in stored("modules").items():
        ask = lambda device, c=constructor, row=row: in_both_modes(c, row, device)  # noqa: E731
        found[f"modules: {constructor}"] = (ask, [row["train"], row["eval"]])
    for call, row in stored("functions").items():
        answer = {what: value for what, value in row.items() if what != "operands"}
        found[f"functions: {call}"] = (lambda device, c=call, row=row: of_family(ask_function, c, row, device), answer)
    for family, of in FAMILIES.items():
        for kind, ask in of.kinds.items():
            for call, row in stored(family)[kind].items():
                case = lambda device, ask=ask, c=call, row=row: of_family(ask, c, row, device)  # noqa: E731
                found[f"{family} {kind}: {call}"] = (case, row["answer"])
    return found


def differing(case, device):
    """What is wrong with our answer on the device, in words; "" if nothing is."""
    ask, answer = case
    torch.manual_seed(0)
    try:
        with torch.device(device):
            mine = ask(device)
        torch.cuda.synchronize()
        agree(moved(mine, "cpu"), answer, "", near_of(answer))
    except AssertionError as error:
        return f"differs: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
