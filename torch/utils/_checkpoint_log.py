"""What a checkpoint's two runs have called, for the error that says that they differ: checkpoint(…, debug=True)."""

import traceback

import torch
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._pytree import tree_map

_ABBREVIATED = {
    torch.float64: "f64",
    torch.float32: "f32",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.bool: "b8",
}


class _Listener(TorchFunctionMode):
    """Writes down each operator that is called from Python: `$2: f32[3] = torch.Tensor.exp($1)`."""

    def __init__(self):
        super().__init__()
        self.calls = []  # (line, stack)
        self.numbers = {}  # id of a tensor -> its number
        self.alive = []  # so that no id is taken twice

    def _number(self, tensor):
        if id(tensor) not in self.numbers:
            self.numbers[id(tensor)] = f"${len(self.numbers)}"
            self.alive.append(tensor)
        return self.numbers[id(tensor)]

    def _text(self, value):
        def shown(leaf):
            return _Plain(self._number(leaf)) if isinstance(leaf, torch.Tensor) else leaf

        return repr(tree_map(shown, value))

    def _result(self, value):
        if not isinstance(value, torch.Tensor):
            return self._text(value)
        dtype = _ABBREVIATED.get(value.dtype, str(value.dtype).removeprefix("torch."))
        return f"{self._number(value)}: {dtype}{list(value.shape)}"

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        given = [self._text(arg) for arg in args]
        given += [f"{name}={self._text(arg)}" for name, arg in kwargs.items()]
        result = func(*args, **kwargs)
        name = resolve_name(func) or getattr(func, "__name__", str(func))
        if not name.endswith(".__get__"):
            self.calls.append((f"{self._result(result)} = {name}({', '.join(given)})", traceback.format_stack()[:-1]))
        return result


class _Plain(str):
    __slots__ = ()
    __repr__ = str.__str__


class _Listening:
    """A context, which several backward passes may enter: what the last one has called counts."""

    def __init__(self, runs, run):
        self.runs, self.run = runs, run

    def __enter__(self):
        self.listener = _Listener().__enter__()

    def __exit__(self, *error):
        self.listener.__exit__(*error)
        self.runs[self.run] = self.listener.calls


class Log:
    """Of one checkpoint: `first` and `second` are contexts for its two runs."""

    def __init__(self):
        self.runs = {"original forward": [], "recomputation": []}

    def _context(self, run):
        return _Listening(self.runs, run)

    def contexts(self):
        """What context_fn gives."""
        return self._context("original forward"), self._context("recomputation")

    def text(self):
        """The calls of both runs, first with the stack of each, then line by line."""
        parts = []
        for run, calls in self.runs.items():
            parts.append(f"Stack traces of the operators of the {run}:\n")
            parts += [
                f"{line}   ({i} of {len(calls)})\n{''.join(stack)}" for i, (line, stack) in enumerate(calls, start=1)
            ]
        for run, calls in self.runs.items():
            parts.append(f"Operations executed during {run}:\n")
            parts.append("\n".join(line for line, _ in calls) + "\n")
        return "\n".join(parts)
