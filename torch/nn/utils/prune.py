"""Pruning: parameters with masks of zeros and ones. A pruned `weight` is the product of weight_orig, which is learned, and the
buffer weight_mask, computed before every forward()."""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable

import torch

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]


class BasePruningMethod(ABC):
    """A way to choose what is pruned: a hook before forward(). compute_mask() says it; PRUNING_TYPE is "unstructured",
    "structured" or "global"."""

    _tensor_name = None

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t, default_mask):
        """The mask for the importances t, where default_mask, of what is pruned already, applies, too."""

    def apply_mask(self, module):
        """The pruned parameter."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask, original = getattr(module, self._tensor_name + "_mask"), getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prunes a parameter of a module; returns the hook. `importance_scores`: numbers of its shape to choose by, its own
        elements unless given. AssertionError for others."""
        method = cls(*args, **kwargs)
        method._tensor_name = name
        found = [
            (key, hook)
            for key, hook in module._forward_pre_hooks.items()
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
        ]
        if len(found) > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer."
            )
        original = getattr(module, name + "_orig") if found else getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(f"importance_scores should have the same shape as parameter {name} of {module}")
        mask = torch.ones_like(importance_scores, memory_format=torch.contiguous_format)
        if found:
            key, before = found[0]
            del module._forward_pre_hooks[key]
            container = PruningContainer(*(before if isinstance(before, PruningContainer) else [before]))
            container.add_pruning_method(method)
            container._tensor_name = name
            method = container
            mask = getattr(module, name + "_mask").detach().clone(memory_format=torch.contiguous_format)
        else:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
        try:
            mask = method.compute_mask(importance_scores, default_mask=mask)
            module.register_buffer(name + "_mask", mask)
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not found:
                module.register_parameter(name, original)
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        """The product of a tensor and the mask for it, or for importance_scores of its shape."""
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise AssertionError("importance_scores should have the same shape as tensor t")
        mask = torch.ones_like(importance_scores) if default_mask is None else default_mask
        return t * self.compute_mask(importance_scores, default_mask=mask)

    def remove(self, module) -> None:
        """Makes what is left a parameter again."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several ways to prune one parameter, one after the other."""

    def __init__(self, *args) -> None:
        self._pruning_methods = ()
        if not isinstance(args, Iterable) or len(args) == 1 and not isinstance(args[0], BasePruningMethod):
            args = args[0]
        args = tuple(args)
        if args:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method) -> None:
        """Adds one for the same parameter. TypeError for what is none, ValueError for another parameter's."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and method._tensor_name != self._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        """That of the last one, for what the others have left."""
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == "unstructured":
            part = mask == 1
        elif method.PRUNING_TYPE == "structured":
            if not hasattr(method, "dim"):
                raise AttributeError(
                    f"Pruning methods of PRUNING_TYPE 'structured' need to have the attribute `dim` defined: {method}"
                )
            # only the slices in which something is left
            dim = method.dim % t.dim()
            others = [d for d in range(t.dim()) if d != dim]
            part = [slice(None)] * t.dim()
            part[dim] = mask.sum(others) != 0
            part = tuple(part)
        elif method.PRUNING_TYPE == "global":
            part = (slice(None),) * t.dim()
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        mask[part] = method.compute_mask(t[part], default_mask=mask[part])
        return mask


class Identity(BasePruningMethod):
    """Prunes nothing, and makes the parameter look pruned."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask

    @classmethod
    def apply(cls, module, name):
        return super().apply(module, name)


# ---- amounts -------------------------------------------------------------------------------------------------------
def _validate_amount(amount):
    """TypeError and ValueError for what is no share and no count."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if (isinstance(amount, numbers.Integral) and amount < 0) or (
        not isinstance(amount, numbers.Integral) and not 0.0 <= float(amount) <= 1.0
    ):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _count(amount, size):
    """How many of `size` are pruned. ValueError if that is more than there are."""
    if not isinstance(amount, numbers.Integral):
        return round(amount * size)
    if amount > size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return int(amount)


def _check_structured(t, dim):
    if t.dim() <= 1:
        raise ValueError(
            f"Structured pruning can only be applied to multidimensional tensors. Found tensor of shape {t.shape} with "
            f"{t.dim()} dims"
        )
    if not -t.dim() <= dim < t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _slices_kept(t, dim, kept):
    """A mask of t's shape that is 1 in the slices `kept` along dim."""
    mask = torch.zeros_like(t)
    index = [slice(None)] * t.dim()
    index[dim] = kept
    mask[tuple(index)] = 1
    return mask


class RandomUnstructured(BasePruningMethod):
    """Prunes single elements by chance: a share or a number of them."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount) -> None:
        _validate_amount(amount)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            chosen = torch.topk(torch.rand_like(t).view(-1), k=count).indices
            mask.view(-1)[chosen] = 0
        return mask

    @classmethod
    def apply(cls, module, name, amount):
        return super().apply(module, name, amount=amount)


class L1Unstructured(BasePruningMethod):
    """Prunes the elements of least absolute value: a share or a number of them."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount) -> None:
        _validate_amount(amount)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            chosen = torch.topk(torch.abs(t).reshape(-1), k=count, largest=False).indices
            mask.view(-1)[chosen] = 0
        return mask

    @classmethod
    def apply(cls, module, name, amount, importance_scores=None):
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class RandomStructured(BasePruningMethod):
    """Prunes whole slices along `dim` by chance: a share or a number of them."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1) -> None:
        _validate_amount(amount)
        self.amount = amount
        self.dim = dim

    def compute_mask(self, t, default_mask):
        _check_structured(t, self.dim)
        count = _count(self.amount, t.shape[self.dim])
        if not count:
            return default_mask
        kept = torch.rand(t.shape[self.dim]).argsort()[count:]
        return _slices_kept(t, self.dim, kept) * default_mask

    @classmethod
    def apply(cls, module, name, amount, dim=-1):
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(BasePruningMethod):
    """Prunes the slices along `dim` of least n-norm: a share or a number of them."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim=-1) -> None:
        _validate_amount(amount)
        self.amount = amount
        self.n = n
        self.dim = dim

    def compute_mask(self, t, default_mask):
        _check_structured(t, self.dim)
        size = t.shape[self.dim]
        count = _count(self.amount, size)
        if not count:
            return default_mask
        others = tuple(d for d in range(t.dim()) if d != self.dim % t.dim())
        kept = torch.topk(torch.norm(t, p=self.n, dim=others), k=size - count, largest=True).indices
        return _slices_kept(t, self.dim, kept) * default_mask

    @classmethod
    def apply(cls, module, name, amount, n, dim, importance_scores=None):
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """Prunes by a mask that is given."""

    PRUNING_TYPE = "global"

    def __init__(self, mask) -> None:
        self.mask = mask

    def compute_mask(self, t, default_mask):
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module, name, mask):
        return super().apply(module, name, mask=mask)


# ---- functions -----------------------------------------------------------------------------------------------------
def identity(module, name):
    """Makes a parameter look pruned; returns the module."""
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Prunes single elements of a parameter by chance, a share (float) or a number (int) of them; returns the module."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Prunes the elements of least absolute value, or importance; returns the module."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Prunes slices along `dim` by chance; returns the module."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Prunes the slices along `dim` of least n-norm, or that of their importances; returns the module."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """Prunes by a mask of zeros and ones; returns the module."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs) -> None:
    """Prunes the elements of several parameters, (module, name) each, as if they were one tensor; importance_scores: of some,
    {(module, name): tensor}. TypeError for structured methods and what are no pairs."""
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    parameters = list(parameters)
    if importance_scores is not None and not isinstance(importance_scores, dict):
        raise TypeError("global_unstructured(): importance_scores is not a dict")
    scores = importance_scores or {}
    flat = torch.cat([scores.get((module, name), getattr(module, name)).reshape(-1) for module, name in parameters])
    masks = torch.cat(
        [
            getattr(module, name + "_mask", torch.ones_like(getattr(module, name))).reshape(-1)
            for module, name in parameters
        ]
    )
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
            f"{pruning_method} of type {method.PRUNING_TYPE}"
        )
    container.add_pruning_method(method)
    mask = container.compute_mask(flat, masks)
    start = 0
    for module, name in parameters:
        weight = getattr(module, name)
        custom_from_mask(module, name, mask[start : start + weight.numel()].view_as(weight))
        start += weight.numel()


def remove(module, name):
    """Makes what is left of a pruned parameter a parameter again; returns the module. ValueError if it is not pruned."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module) -> bool:
    """Whether a parameter of the module, or of one below, is pruned."""
    return any(
        isinstance(hook, BasePruningMethod) for child in module.modules() for hook in child._forward_pre_hooks.values()
    )
