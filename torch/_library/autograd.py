"""Gradients of users' operators: the node that register_autograd's functions make, and the one that stands for having
none."""

import warnings

import torch
from torch._library import dispatch, keys
from torch._library.table import Kernel


class AutogradKernel(Kernel):
    """The kernel for autograd of an operator with a formula, or without one, which raises in the backward pass."""

    def __init__(self, operator, backward=None, setup_context=None):
        super().__init__(None)
        self.backward, self.setup_context = backward, setup_context
        self._node = _node(operator, self)

    def __call__(self, operator, values):
        tensors = operator.tensors(values)
        if not (torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)):
            with keys.AutoDispatchBelowAutograd():
                return dispatch.below(operator, values)
        call = _Call(operator, values)
        results = self._node.apply(call, *call.inputs)
        return call.rebuilt(results)


class _Call:
    """One call: tensors in lists are arguments of the node of their own."""

    def __init__(self, operator, values):
        self.values = values
        # Of each positional argument: None for one tensor, else the number of tensors in its list, -1 for no tensors.
        self.shape = []
        self.inputs = []
        for argument, value in zip(operator.schema.arguments, values, strict=True):
            if argument.kwarg_only:
                continue
            if argument.real_type.base == "Tensor" and isinstance(value, list):
                self.shape.append(len(value))
                self.inputs += value
            else:
                self.shape.append(None)
                self.inputs.append(value)

    def flattened(self, result):
        """The results, each tensor of a list by itself; remembers what they were."""
        self.single = not isinstance(result, tuple)
        parts = [result] if self.single else list(result)
        self.results = [len(part) if isinstance(part, list) else None for part in parts]
        return tuple(each for part in parts for each in (part if isinstance(part, list) else [part]))

    def rebuilt(self, flat):
        """The results as the operator returned them."""
        flat = list(flat) if isinstance(flat, tuple) else [flat]
        parts = nested(flat, self.results)
        return parts[0] if self.single else tuple(parts)


def nested(flat, shape):
    """The list, with so many of its elements in a list of their own where `shape` has a number."""
    place, parts = 0, []
    for count in shape:
        if count is None:
            parts.append(flat[place])
            place += 1
        else:
            parts.append(list(flat[place : place + count]))
            place += count
    return parts


def _node(operator, kernel):
    """The torch.autograd.Function of an operator."""
    shown = f"{operator.namespace}.{operator.name}.{operator.overload or 'default'}"
    keyword_only = any(argument.kwarg_only for argument in operator.schema.arguments)

    def forward(ctx, call, *inputs):
        with keys.AutoDispatchBelowAutograd():
            result = dispatch.below(operator, call.values)
        flat = call.flattened(result)
        ctx.needs_input_grad = tuple(nested(ctx.needs_input_grad[1:], call.shape))
        if kernel.setup_context is not None:
            positional, keywords = operator.binder.split(call.values)
            if keyword_only:
                kernel.setup_context(ctx=ctx, inputs=tuple(positional), keyword_only_inputs=keywords, output=result)
            else:
                kernel.setup_context(ctx=ctx, inputs=tuple(positional), output=result)
        ctx._operator_shapes = call.shape, call.results
        call.values = call.inputs = None  # what backward needs, setup_context has saved
        return flat

    def backward(ctx, *grads):
        if kernel.backward is None:
            raise RuntimeError(
                f"Trying to backward through {shown} but no autograd formula was registered: register_autograd adds one."
            )
        inputs, results = ctx._operator_shapes
        found = kernel.backward(ctx, *nested(grads, results))
        found = list(found) if isinstance(found, (tuple, list)) and len(inputs) != 1 else _single(found)
        return None, *_flat_gradients(found, inputs)

    # The engine counts the gradients for the node's own argument, too: what it would say is one too many.
    def _flat_gradients(found, inputs):
        if len(found) != len(inputs):
            raise RuntimeError(
                f"function {name}Backward returned an incorrect number of gradients "
                f"(expected {len(inputs)}, got {len(found)})"
            )
        flat = []
        for place, (grad, count) in enumerate(zip(found, inputs, strict=True)):
            if count is None:
                flat.append(grad)
            elif grad is None:
                flat += [None] * count
            elif isinstance(grad, (list, tuple)) and len(grad) == count:
                flat += grad
            else:
                raise RuntimeError(
                    f"the backward of {shown} must return a list of {count} gradients, or None, for its argument {place}, "
                    f"a list of tensors; it returned {type(grad).__name__}"
                    + (f" of {len(grad)}" if isinstance(grad, (list, tuple)) else "")
                )
        return flat

    name = f"GeneratedBackwardFor_{shown.replace('.', '_')}"
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (torch.autograd.Function,), members)


def _single(found):
    """The gradients that a backward of one argument returned: (grad,), grad, or a list for a list."""
    return list(found) if isinstance(found, tuple) else [found]


def _warn(operator):
    warnings.warn(
        f"{operator.qualified}: an autograd kernel was not registered to the Autograd key(s) but we are trying to backprop "
        "through it: what its kernel did with torch's functions is differentiated, and nothing else. "
        "torch.library.register_autograd gives it a gradient; torch.library.fallthrough_kernel for Autograd says that it has "
        "none.",
        stacklevel=2,
    )


class WarnNotImplemented(torch.autograd.Function):
    """The node of a result that nothing recorded."""

    @staticmethod
    def forward(ctx, operator, result, *inputs):
        ctx._operator, ctx._inputs = operator, len(inputs)
        return result

    @staticmethod
    def backward(ctx, grad):
        _warn(ctx._operator)
        return (None,) * (2 + ctx._inputs)


def warn_when_differentiated(operator, inputs, result):
    """The result of an operator without a kernel for autograd. What its kernel recorded stays; a pass backward warns."""
    written = {id(tensor) for tensor in inputs}

    def mark(value):
        if isinstance(value, (list, tuple)):
            return type(value)([mark(each) for each in value])
        if not isinstance(value, torch.Tensor) or id(value) in written:
            return value
        if value.requires_grad:
            value.register_hook(lambda grad: _warn(operator))
            return value
        if not (value.is_floating_point() or value.is_complex()):
            return value
        return WarnNotImplemented.apply(operator, value, *inputs)

    return mark(result)
