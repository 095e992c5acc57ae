"""Tangents of tensors, and of what functions of torch make of them: torch.autograd.forward_ad says how."""

import contextlib
import functools
import inspect
import types

import torch
from torch import _C, Tensor
from torch._tensor_str import _with_suffixes
from torch.autograd import function
from torch.autograd._jacobian_products import products, shares, zeros
from torch.autograd.function import Function
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack
from torch.utils.weak import WeakIdKeyDictionary

# Attributes that are views; others have no tangent.
_VIEWS = {"T", "mT", "H", "mH", "real", "imag"}
# What ends in `_` and writes no element.
_NO_WRITES = {"requires_grad_", "detach_", "share_memory_", "rename_", "retain_grad_"}
# Writes sizes and strides, not elements: the tangent's, too.
_RESHAPING = {"t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_"}
_UNKNOWN = {"set_", "resize_", "resize_as_", "apply_", "map_", "map2_", "as_strided_"}
# Write running averages, of which they tell no version, and which are not to be written twice.
_STATISTICS = {"batch_norm", "instance_norm", "native_batch_norm"}
_PYTHON_WRITES = {
    f"__i{name}__" for name in "add sub mul truediv div floordiv mod pow and or xor lshift rshift".split()
}


def tensors_in(value):
    """The tensors in arguments or results, lists, tuples and dictionaries opened."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)) or isinstance(value, torch.Size):
        return []
    return [tensor for each in value for tensor in tensors_in(each)]


def _replaced(value, by):
    """The same with other tensors: {id: tensor}."""
    if isinstance(value, Tensor):
        return by.get(id(value), value)
    if isinstance(value, dict):
        return {key: _replaced(each, by) for key, each in value.items()}
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        values = [_replaced(each, by) for each in value]
        return type(value)(*values) if hasattr(value, "_fields") else type(value)(values)
    return value


def _differentiable(tensor):
    return tensor.is_floating_point() or tensor.is_complex()


def _same_memory(primal, tangent):
    """Whether places in the storage of one are those in the other's."""
    sizes = [each.untyped_storage().nbytes() for each in (primal, tangent)]
    return sizes[0] == sizes[1] and primal.storage_offset() == tangent.storage_offset()


def _overlaps(tensor):
    """Whether elements of it are one in memory."""
    return any(size > 1 and stride == 0 for size, stride in zip(tensor.size(), tensor.stride()))


def _laid_out(tangent, primal):
    """A tangent in the primal's dtype and strides, so that views of one are views of the other."""
    if tangent.dtype == primal.dtype and tangent.stride() == primal.stride():
        return tangent
    if tangent.stride() == primal.stride():
        return tangent.to(primal.dtype)
    dense = torch.empty_strided(primal.size(), primal.stride(), dtype=primal.dtype, device=primal.device)
    try:
        return dense.copy_(tangent)
    except RuntimeError:  # the primal's elements overlap, as those of an expanded tensor
        return tangent.to(primal.dtype)


class _Identity(Function):
    """The same elements with their history, and no view of the tensor: a view would have a view of its tangent."""

    @staticmethod
    def forward(ctx, tensor):
        return tensor.detach()

    @staticmethod
    def backward(ctx, grad):
        return grad


def _apply_of(cls):
    """cls.apply as it is outside of levels."""
    return super(Function, cls).apply


class Level:
    """Which tensors have tangents, while it lasts."""

    def __init__(self):
        self._tangents = WeakIdKeyDictionary()
        self._mode = _Mode(self)

    def begin(self):
        _C._push_on_torch_function_stack(self._mode)
        function._in_level = functools.partial(_applied, self)  # those are no functions of torch, and tell no mode

    def end(self):
        function._in_level = None
        self._tangents = WeakIdKeyDictionary()
        inner = []
        while _get_current_function_mode_stack():
            mode = _C._pop_torch_function_stack()
            if mode is self._mode:
                break
            inner.append(mode)  # entered in the level and not left yet
        for mode in reversed(inner):
            _C._push_on_torch_function_stack(mode)

    def make(self, primal, tangent):
        with _C.DisableTorchFunction():
            for tensor, what in ((primal, "tensor"), (tangent, "tangent")):
                if self.tangent(tensor) is not None:
                    raise RuntimeError(f"make_dual(): {what} already has a forward gradient at the same level, 0")
            dual = primal.view_as(primal)
            self.give(dual, tangent)
            return dual

    def unpack(self, tensor):
        with _C.DisableTorchFunction():
            primal = _apply_of(_Identity)(tensor) if tensor.requires_grad else tensor.detach()
            return primal, self.tangent(tensor)

    def tangent(self, tensor):
        """A tensor's tangent or None; that of a view is a view of its base's."""
        found = self._tangents.get(tensor)
        if found is None and _differentiable(tensor) and tensor._is_view():
            base = self._tangents.get(tensor._base)
            if base is not None and tensor.dtype == tensor._base.dtype and base.stride() == tensor._base.stride():
                offset = tensor.storage_offset() - tensor._base.storage_offset() + base.storage_offset()
                found = self._tangents[tensor] = base.as_strided(tensor.size(), tensor.stride(), offset)
        return found

    def give(self, tensor, tangent):
        """Gives a new tensor its tangent."""
        if tensor.shape != tangent.shape:
            raise RuntimeError(
                f"a forward gradient has a different size than its tensor: {list(tangent.shape)}, not {list(tensor.shape)}"
            )
        if tensor.device != tangent.device:
            raise RuntimeError(f"a tangent on {tangent.device} to a tensor on {tensor.device}")
        self._tangents[tensor] = _laid_out(tangent, tensor)

    def forget(self, tensor):
        self._tangents.pop(tensor, None)

    def write(self, tensor, tangent):
        """Gives a tensor that has been written in place its tangent; views of its memory have theirs by it."""
        old = self.tangent(tensor)
        if (
            old is None
            and tensor._is_view()
            and tensor.dtype == tensor._base.dtype
            and self._tangents.get(tensor._base) is None
        ):
            self._tangents[tensor._base] = zeros(tensor._base)
            old = self.tangent(tensor)
        if old is None:
            self.give(tensor, tangent)
        else:
            old.copy_(tangent)


# ---- functions of torch ------------------------------------------------------------------------------------
class _Mode(TorchFunctionMode):
    """Hears of every function inside of the level."""

    def __init__(self, level):
        self._level = level

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name in ("__get__", "__set__"):
            attribute = getattr(getattr(func, "__self__", None), "__name__", "")
            if attribute not in (_VIEWS if name == "__get__" else ("real", "imag")):
                return func(*args, **kwargs)
        with _C.DisableTorchFunction():
            duals = {id(each): each for each in tensors_in((args, kwargs)) if self._level.tangent(each) is not None}
        if not duals:
            return func(*args, **kwargs)
        if name == "__repr__":
            tangent = self._level.tangent(args[0])
            return _text(func(*args, **kwargs), tangent)
        if name in ("backward", "grad") and (name == "backward" or func is torch.autograd.grad):
            return self._backward(func, name, args, kwargs, duals)
        if name in ("detach", "tensor") or name in _NO_WRITES:
            result = func(*args, **kwargs)
            if name == "detach_":
                self._level.forget(args[0])
            return result
        if name in _UNKNOWN:
            raise NotImplementedError(f"{name}() of a tensor with a tangent: forward mode does not follow it")
        if any(map(_differentiable, tensors_in(kwargs.get("out")))):
            raise NotImplementedError(f"{name}(out=...) of a tensor with a tangent: forward mode does not follow out=")
        return self._differentiated(func, name, args, kwargs, duals)

    def _differentiated(self, func, name, args, kwargs, duals):
        if name in _RESHAPING:
            result = func(*args, **kwargs)
            with _C.DisableTorchFunction():
                tangent = self._level.tangent(args[0])
                self._level.forget(args[0])
                self._level.give(args[0], func(tangent.view_as(tangent), *args[1:], **kwargs))
            return result
        call = _Call(self._level, func, name, args, kwargs, duals)
        if call.written is not None and _overlaps(call.written):
            raise NotImplementedError(
                f"{name}() into a tensor several elements of which are one in memory: forward mode does not follow it"
            )
        return call.run()

    def _backward(self, func, name, args, kwargs, duals):
        first = args[0] if args else kwargs.get("outputs")
        given = (args[1:2] if name == "backward" else args[2:3]) or (kwargs.get("gradient"), kwargs.get("grad_outputs"))
        if any(id(each) in duals for each in tensors_in((first, given))):
            raise NotImplementedError(
                f"{name}() of a tensor with a tangent: gradients have none here. unpack_dual(y).primal has a gradient "
                "without; torch.autograd.functional.hvp gives products with second derivatives"
            )
        return func(*args, **kwargs)


def _text(text, tangent):
    return _with_suffixes(text[:-1], [f"tangent={tangent}"], text.index("(") + 1)


_signature = functools.cache(inspect.signature)


def _written(func, name, args, kwargs):
    """The argument that a function writes, or None."""
    if name in ("__setitem__", "__set__") or name in _PYTHON_WRITES or (name.endswith("_") and not name.endswith("__")):
        return next(iter(tensors_in((args, kwargs))), None)
    if isinstance(func, types.FunctionType) and "inplace" in _signature(func).parameters:
        bound = _signature(func).bind(*args, **kwargs).arguments
        return next(iter(tensors_in(list(bound.values()))), None) if bound.get("inplace") else None
    return None


class _Call:
    """One function with tangents among its arguments: run, then computed again to be differentiated."""

    def __init__(self, level, func, name, args, kwargs, duals):
        self.level, self.func, self.name = level, func, name
        self.args, self.kwargs, self.duals = args, kwargs, duals
        self.written = _written(func, name, args, kwargs)

    def run(self):
        arguments = {id(each): each for each in tensors_in((self.args, self.kwargs))}
        versions = {key: None if each.is_inference() else each._version for key, each in arguments.items()}
        before = _states(self.args, self.kwargs, arguments)
        old = None if self.written is None else self.written.clone()
        tangents = {key: self.level.tangent(each) for key, each in self.duals.items()}
        result = self.func(*self.args, **self.kwargs)
        if self.written is not None:
            results = [self.written] if _differentiable(self.written) else []
        else:
            results = [each for each in tensors_in(result) if id(each) not in arguments]
        if not any(map(_differentiable, results)):
            return result
        with _C.DisableTorchFunction():
            if self.written is None:
                self._views(results, tangents)
            wanted = [each for each in results if self.written is not None or self.level.tangent(each) is None]
            if any(map(_differentiable, wanted)):
                copied = {
                    key: each.detach().clone()
                    for key, each in arguments.items()
                    if key not in self.duals and (self.name in _STATISTICS or self._changed(each, versions[key]))
                }
                after = _states(self.args, self.kwargs, arguments)
                try:
                    with _again(before, after):
                        self._differentiate(wanted, results, arguments, tangents, old, copied)
                except NotImplementedError:
                    if old is not None:
                        with torch.no_grad():
                            self.written.copy_(old)
                    raise
        return result

    @staticmethod
    def _changed(argument, version):
        """Whether the function has written into an argument besides."""
        return not argument.is_inference() and argument._version != version

    def _views(self, results, tangents):
        """Results that are views of arguments: their tangents are the same views of the arguments'."""
        seen = {
            id(result)
            for result in results
            for dual in self.duals.values()
            if _differentiable(result) and shares(result, dual) and result.numel()
        }
        if self.name == "as_strided" and not all(_same_memory(*pair) for pair in self._with_tangents(tangents)):
            return
        if not seen or any(isinstance(each, torch.dtype) for each in (*self.args, *self.kwargs.values())):
            return
        made = self.func(*_replaced(self.args, tangents), **_replaced(self.kwargs, tangents))
        sources = tensors_in((self.args, self.kwargs))
        made = [each for each in tensors_in(made) if not any(each is one for one in sources)]
        if len(made) == len(results):
            for result, tangent in zip(results, made):
                if id(result) in seen:
                    self.level.give(result, tangent)

    def _with_tangents(self, tangents):
        return [(each, tangents[key]) for key, each in self.duals.items()]

    def _differentiate(self, wanted, results, arguments, tangents, old, copied):
        recorded = torch.is_grad_enabled() and any(
            each.requires_grad for each in (*arguments.values(), *tangents.values())
        )
        with torch.inference_mode(False), torch.enable_grad():
            stands, targets = _stand_ins(arguments, self.duals, self.written, old, copied)
            again = self.func(*_replaced(self.args, stands), **_replaced(self.kwargs, stands))
            if self.written is not None:
                again = [stands[id(self.written)]]
            else:
                inputs = {id(each) for each in stands.values()} | set(arguments)
                again = [each for each in tensors_in(again) if id(each) not in inputs]
            pairs = [
                (one, new) for one, new in zip(results, again) if new.requires_grad and any(one is w for w in wanted)
            ]
            found = products(self.name, [new for _, new in pairs], targets, tangents, recorded)
        for (result, _), tangent in zip(pairs, found):
            if tangent is None:
                continue
            if self.written is not None:
                self.level.write(result, tangent)
            else:
                self.level.give(result, tangent)


def _stand_ins(arguments, duals, written, old, copied):
    """({id of an argument: what is recorded in its place}, {id of a dual: what is differentiated by})"""
    stands, targets = {}, {}
    for key, each in arguments.items():
        value = old if each is written else copied.get(key, each)
        if value.is_inference():
            value = value.clone()
        if key in duals:
            value = value.view_as(value) if value.requires_grad else value.detach().requires_grad_()
            targets[key] = value
        elif value is each:
            continue
        stands[key] = value.clone() if each is written else value
    return stands, targets


# ---- random numbers ----------------------------------------------------------------------------------------
def _generators(args, kwargs, arguments):
    found = [torch.default_generator]
    found += [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Generator)]
    indices = {each.device.index or 0 for each in arguments.values() if each.device.type == "cuda"}
    return found + [torch.cuda.default_generators[index] for index in sorted(indices)]


def _states(args, kwargs, arguments):
    return [(generator, generator.get_state()) for generator in _generators(args, kwargs, arguments)]


@contextlib.contextmanager
def _again(before, after):
    """A context in which the same random numbers are drawn as between two states."""
    for generator, state in before:
        generator.set_state(state)
    try:
        yield
    finally:
        for generator, state in after:
            generator.set_state(state)


# ---- functions with gradients of their own -----------------------------------------------------------------
class _ForwardContext:
    """The ctx that jvp() sees: saved_tensors are those of save_for_forward()."""

    def __init__(self, ctx):
        # What forward() has said is taken from a ctx when it has returned.
        said = {
            "saved_tensors": tuple(ctx.saved_for_forward or ()) if hasattr(ctx, "saved_for_forward") else (),
            "constant": tuple(getattr(ctx, "non_differentiable", None) or ()),
            "materialized": getattr(ctx, "materialize_grads", None) is not False,
        }
        self.__dict__.update(_ctx=ctx, **said)

    def __getattr__(self, name):
        return getattr(self._ctx, name)

    def __setattr__(self, name, value):
        setattr(self._ctx, name, value)


def _applied(level, cls, args, kwargs):
    with _C.DisableTorchFunction():
        tangents = [level.tangent(each) if isinstance(each, Tensor) else None for each in args]
        if all(each is None for each in tangents):
            return _apply_of(cls)(*args, **kwargs)
        if cls.jvp is Function.jvp:
            Function.jvp(None)  # which says that it is missing
        contexts = []
        result = _apply_of(_watched(cls, contexts))(*args, **kwargs)
        (ctx,) = contexts
        if ctx.materialized:
            tangents = [
                zeros(each) if tangent is None and isinstance(each, Tensor) and _differentiable(each) else tangent
                for each, tangent in zip(args, tangents)
            ]
        found = cls.jvp(ctx, *tangents)
        outputs, found = tensors_in([result]), found if isinstance(found, tuple) else (found,)
        if len(found) != len(outputs):
            raise RuntimeError(f"{cls.__name__}.jvp returned {len(found)} tangents, of {len(outputs)} results")
        for output, tangent in zip(outputs, found):
            if tangent is None or any(output is each for each in ctx.constant):
                continue
            if any(output is each for each in args):
                level.write(output, tangent)
            else:
                level.give(output, tangent)
        return result


def _watched(cls, contexts):
    """A Function that leaves its ctx, as jvp() sees it, in a list."""

    class Watched(cls):
        if cls.setup_context is Function.setup_context:

            @staticmethod
            def forward(ctx, *args, **kwargs):
                result = cls.forward(ctx, *args, **kwargs)
                contexts.append(_ForwardContext(ctx))
                return result
        else:

            @staticmethod
            def setup_context(ctx, inputs, output):
                cls.setup_context(ctx, inputs, output)
                contexts.append(_ForwardContext(ctx))

    Watched.__name__ = cls.__name__
    return Watched
