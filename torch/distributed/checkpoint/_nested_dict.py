"""Nested state dicts as flat ones: "a.b.0" for state["a"]["b"][0]. Dicts are taken apart, and lists and tuples with tensors."""

import torch
from torch._absent import rest_of


def _holds_tensors(value):
    if isinstance(value, dict):
        return True
    if isinstance(value, (list, tuple)):
        return any(_holds_tensors(each) for each in value)
    return isinstance(value, torch.Tensor)


def flatten_state_dict(state_dict):
    """(flat dict, {name: path}). ValueError: two paths make one name."""
    flat, paths = {}, {}

    def visit(path, value):
        if isinstance(value, dict) and value:
            for key, each in value.items():
                visit((*path, str(key) if not isinstance(key, (str, int)) else key), each)
        elif isinstance(value, (list, tuple)) and value and any(_holds_tensors(each) for each in value):
            for i, each in enumerate(value):
                visit((*path, i), each)
        else:
            name = ".".join(map(str, path))
            if name in flat:
                raise ValueError(f"two entries of the state dict would be named {name!r}: {paths[name]} and {path}")
            flat[name], paths[name] = value, path

    for key, value in state_dict.items():
        visit((str(key),), value)
    return flat, paths


def set_element(root, path, value):
    """Puts a value where a path leads, making the dicts and lists on the way."""
    for key, following in zip(path, path[1:]):
        empty = [] if isinstance(following, int) else {}
        if isinstance(root, list):
            root.extend([None] * (key + 1 - len(root)))
            if root[key] is None:
                root[key] = empty
            root = root[key]
        else:
            root = root.setdefault(key, empty)
    if isinstance(root, list):
        root.extend([None] * (path[-1] + 1 - len(root)))
    root[path[-1]] = value


def unflatten_state_dict(flat, paths):
    """The nested dict of a flat one."""
    nested = {}
    for name, value in flat.items():
        set_element(nested, paths[name], value)
    return nested


__getattr__, __dir__ = rest_of(__name__)
