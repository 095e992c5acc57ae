"""The programs of sparse_cases on a GPU beside the CPU: operands are moved there, the device of the context makes tensors
there, and results are read back. What a program answers, or why it refuses, is the same; only the device's name is another."""

import re

import sparse_codec
import sparse_programs
import torch

NAMES = (
    (re.compile(r",\s+device='cuda:0'"), ""),
    (re.compile(r"\btorch\.cuda\."), "torch."),
    (re.compile(r'_cuda"'), '_cpu"'),
    (re.compile(r"\bcuda(:0)?\b"), "cpu"),
    (re.compile(r"\s+"), " "),
)


def unnamed(text):
    """A text without the device's name, which may have moved the ends of its lines."""
    for pattern, otherwise in NAMES:
        text = pattern.sub(otherwise, text)
    return text


def moved(result):
    """What a program gives, on the CPU; texts without the device's name. Tensors that are elsewhere are named."""
    if isinstance(result, torch.Tensor):
        return result.detach().cpu()
    if isinstance(result, (tuple, list)) and not isinstance(result, torch.Size):
        return [moved(item) for item in result]
    if isinstance(result, (torch.device, str)):
        return unnamed(str(result))
    return result


def devices(result):
    """Where the tensors of a result are."""
    if isinstance(result, torch.Tensor):
        return {result.device.type}
    if isinstance(result, (tuple, list)):
        return {device for item in result for device in devices(item)}
    return set()


def operands(program, device):
    tensors = sparse_programs.made(torch, program.source)
    return {name: tensor.to(device) for name, tensor in tensors.items()}


def answer(program, device):
    """(the encoded result, where its tensors are, what is wrong with its members), or an exception's type and text."""
    try:
        tensors = operands(program, device)
        with torch.device(device):
            result = sparse_programs.run(torch, program, tensors)
            if device == "cuda":
                torch.cuda.synchronize()
        here = moved(result)
        return sparse_codec.encode(torch, here), devices(result), sparse_codec.wrongs(torch, here)
    except Exception as error:
        return f"{type(error).__name__}: {unnamed(str(error))}", set(), []


def differing(program):
    """What is otherwise on the GPU, as a text; "" where nothing is."""
    want, places, _ = answer(program, "cpu")
    got, there, wrongs = answer(program, "cuda")
    if isinstance(want, str) or isinstance(got, str):
        same = want == got
    else:
        same = sparse_codec.same(want, got, flags=True)
    if not same or wrongs or len(there) != len(places):
        return f"want {want} {places}\n    got  {got} {there} {wrongs}"
    return ""
