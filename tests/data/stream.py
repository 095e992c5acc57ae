"""The random numbers that a program draws: written down where PyTorch runs, handed out again where torch does.

Our generator is Philox, PyTorch's on the CPU is another, so equal seeds give other numbers. What must be equal is the
stream: which functions are called, with what, on which generator, in which order. So PyTorch's answers are put in the
place of ours, and the order of a dataset must come out as it did there, index by index."""

import contextlib
import json

import torch

_NAMES = ("randperm", "randint", "multinomial")


def _generator(generator):
    """The default generator, or another one by its seed."""
    if generator is None or generator is torch.default_generator:
        return "default"
    return generator.initial_seed()


def _plain(value):
    if isinstance(value, torch.Tensor):
        return value.tolist()
    if isinstance(value, torch.dtype):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _call(name, args, kwargs):
    """A call as what JSON keeps of it."""
    kwargs = dict(kwargs)
    generator = _generator(kwargs.pop("generator", None))
    call = [name, [_plain(a) for a in args], {key: _plain(kwargs[key]) for key in sorted(kwargs)}, generator]
    return json.loads(json.dumps(call))


@contextlib.contextmanager
def _patched(answer):
    """torch's functions replaced: answer(name, args, kwargs, the real one) is what they return."""
    import torch.utils.data.dataset as module

    real = {name: getattr(torch, name) for name in _NAMES}
    real_random = torch.Tensor.random_
    imported = getattr(module, "randperm", None)  # PyTorch's module holds a reference of its own

    def stand_in(name):
        return lambda *args, **kwargs: answer(name, args, kwargs, lambda: real[name](*args, **kwargs))

    def random_(self, *args, **kwargs):
        drawn = answer("random_", args, kwargs, lambda: real_random(self, *args, **kwargs))
        return self.copy_(drawn)

    try:
        for name in _NAMES:
            setattr(torch, name, stand_in(name))
        if imported is not None:
            module.randperm = torch.randperm
        torch.Tensor.random_ = random_
        yield
    finally:
        for name in _NAMES:
            setattr(torch, name, real[name])
        if imported is not None:
            module.randperm = imported
        torch.Tensor.random_ = real_random


@contextlib.contextmanager
def written_down(draws):
    """Append [call, its answer] of each draw to `draws`."""

    def answer(name, args, kwargs, draw):
        drawn = draw()
        draws.append([_call(name, args, kwargs), drawn.tolist()])
        return drawn

    with _patched(answer):
        yield


@contextlib.contextmanager
def played(draws):
    """Answer each draw as `draws` says. A call that is another than the one written down there fails, and so does one
    too few or too many."""
    left = iter(draws)

    def answer(name, args, kwargs, draw):
        call = _call(name, args, kwargs)
        expected, drawn = next(left, (None, None))
        assert call == expected, f"draws {call}, PyTorch draws {expected}"
        return torch.tensor(drawn, dtype=torch.int64)

    with _patched(answer):
        yield
    assert next(left, None) is None, "draws less than PyTorch"
