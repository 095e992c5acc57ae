"""What modules do to tensors in nested lists, "tables" in Lua."""

import torch
from torch._thnn._backends import target_of


def _converted(tensor, dtype, device, cache):
    """The tensor with another dtype. Tensors that share memory share it afterwards: storages are converted once."""
    if not tensor.is_floating_point():
        return tensor.to(device)  # indices stay indices
    if tensor.dtype == dtype and tensor.device.type == device:
        return tensor
    storage = tensor.untyped_storage()
    if storage.nbytes() == 0:
        return tensor.to(device, dtype)
    key = (storage.data_ptr(), tensor.device)
    if key not in cache:
        whole = tensor.as_strided((storage.nbytes() // tensor.element_size(),), (1,), 0)
        cache[key] = whole.to(device, dtype), storage  # the storage, that its address stays its own
    return cache[key][0].as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())


def recursiveType(param, type, tensorCache=None):
    """Tensors of floating-point numbers, and those in lists, modules and criteria, with another type. Pass the same
    `tensorCache` (a dictionary) for several that share tensors."""
    cache = {} if tensorCache is None else tensorCache
    if isinstance(param, list):
        param[:] = [recursiveType(each, type, cache) for each in param]
    elif isinstance(param, torch.Tensor):
        return _converted(param, *target_of(type)[1:], cache)
    elif hasattr(param, "updateOutput"):
        param.type(type, cache)
    return param


def _unlike(first, second):
    names = f"{type(first).__name__} and {type(second).__name__}"
    return RuntimeError(f"expecting nested tensors or tables. Got {names} instead")


def _paired(t1, t2, of_tensors):
    """`of_tensors(t1, t2)` for every tensor in t2 and what is in its place in t1; the result has t2's lists."""
    if isinstance(t2, list):
        found = t1 if isinstance(t1, list) else [t1]
        found[len(t2) :] = []
        found += [None] * (len(t2) - len(found))
        found[:] = [_paired(first, second, of_tensors) for first, second in zip(found, t2)]
        return found
    if not isinstance(t2, torch.Tensor):
        raise _unlike(t1, t2)
    return of_tensors(t1, t2)


def _or_new(t1, t2):
    return t1 if isinstance(t1, torch.Tensor) else t2.new()


def recursiveResizeAs(t1, t2):
    """(t1, t2), where t1's tensors and lists have the sizes of t2's."""
    return _paired(t1, t2, lambda a, b: _or_new(a, b).resize_as_(b)), t2


def recursiveFill(t2, val):
    """Writes a number into every tensor."""
    if isinstance(t2, list):
        return [recursiveFill(each, val) for each in t2]
    if not isinstance(t2, torch.Tensor):
        raise RuntimeError(f"expecting tensor or table thereof. Got {type(t2).__name__} instead")
    return t2.fill_(val)


def recursiveAdd(t1, val=1, t2=None):
    """Adds `val` times t2's tensors to those of t1: recursiveAdd(t1, t2) or recursiveAdd(t1, val, t2)."""
    if t2 is None:
        t2, val = val, 1

    def add(first, second):
        if not isinstance(first, torch.Tensor):
            raise _unlike(first, second)
        return first.add_(second, alpha=val)

    return _paired(t1, t2, add), t2


def recursiveCopy(t1, t2):
    """(t1, t2), where t1 holds copies of t2's tensors."""
    return _paired(t1, t2, lambda a, b: _or_new(a, b).resize_as_(b).copy_(b)), t2


def addSingletondimension(*args):
    """(t, dim): `t` with a dimension of size 1 more; (view, t, dim): `view` is made that."""
    if len(args) < 3:
        t, dim = args
        return t.unsqueeze(dim)
    view, t, dim = args
    return view.set_(t).unsqueeze_(dim)


def contiguousView(output, input, *args):
    """`output`, made `input.view(*args)`, of a copy where the input is not contiguous."""
    found = input.contiguous().view(*args)
    return found if output is None else output.set_(found)


def clear(self, *args):
    """Empties the named attributes (several names, or a list of them): tensors, lists; others become None."""
    names = args[0] if len(args) == 1 and isinstance(args[0], list) else args
    for name in names:
        value = getattr(self, name, None)
        if isinstance(value, torch.Tensor):
            setattr(self, name, value.new())  # another one: the old may be somebody's input
        elif isinstance(value, list):
            setattr(self, name, [])
        elif hasattr(self, name):
            setattr(self, name, None)
    return self
