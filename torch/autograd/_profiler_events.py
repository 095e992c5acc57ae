"""What the recording of a thread (csrc/python/autograd/profiler.cpp) says, as events."""

import os
import weakref

import torch
from torch import _C
from torch.autograd._profiler_kinds import RecordScope
from torch.autograd._profiler_trace import Trace
from torch.autograd.profiler_util import EventList, FunctionEvent, _rewrite_name

# What PyTorch calls the elements, C++ types.
_TYPES = {
    torch.float32: "float",
    torch.float64: "double",
    torch.float16: "c10::Half",
    torch.bfloat16: "c10::BFloat16",
    torch.int64: "long int",
    torch.int32: "int",
    torch.int16: "short int",
    torch.int8: "signed char",
    torch.uint8: "unsigned char",
    torch.bool: "bool",
    torch.complex64: "c10::complex<float>",
    torch.complex128: "c10::complex<double>",
}
_ACTIVITIES = {
    "operator": "cpu_op",
    "node": "cpu_op",
    "range": "user_annotation",
    "python": "python_function",
    "builtin": "python_function",
}


def _arguments(rows):
    """(shapes, types, values) of the arguments that were kept."""
    shapes, types, values = [], [], []
    for kind, shape, dtype, value in rows or ():
        if kind == "Tensor":
            shapes.append(shape)
            types.append(_TYPES.get(dtype, str(dtype).removeprefix("torch.")))
            values.append(None)
        elif kind == "TensorList":
            shapes.append(shape)
            types.append("TensorList")
            values.append(None)
        else:
            shapes.append([])
            types.append(kind)
            values.append(value)
    return shapes, types, values


def _flops(name, shapes, values):
    """Of operators whose work is known from the shapes."""
    if name in ("aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm"):
        a, b = shapes[1:3] if "add" in name else shapes[:2]
        return 2 * _product(a) * b[-1]
    if name == "aten::convolution" and len(values) > 6:  # noqa: PLR2004 - transposed is the seventh
        x, w = shapes[:2]
        positions = _product(x[2:]) if values[6] else _product(_conv_out(x, w, *values[3:6]))
        return 2 * x[0] * positions * _product(w)
    if name in ("aten::add", "aten::mul") and shapes and shapes[0]:
        return _product(shapes[0])
    return 0


def _conv_out(x, w, stride, padding, dilation):
    return [
        (size + 2 * p - d * (k - 1) - 1) // s + 1
        for size, k, s, p, d in zip(x[2:], w[2:], stride, padding, dilation, strict=True)
    ]


def _product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def _python_name(code):
    """file.py(12): function, the path from where modules are found."""
    return f"{_shortened(code.co_filename)}({code.co_firstlineno}): {code.co_qualname.rpartition('.')[2]}"


_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep


def _shortened(path):
    if path.startswith(_ROOT):
        return path.removeprefix(_ROOT)
    folder = os.getcwd() + os.sep
    return path.removeprefix(folder)


class Made:
    """The events of a recording, made when somebody asks. `before`: what is to come first."""

    def __init__(self, profile, recorded, process_thread, before=None):
        self.options = {
            "with_stack": int(profile.with_stack),
            "profile_memory": int(profile.profile_memory),
            "record_shapes": int(profile.record_shapes),
            "with_flops": int(profile.with_flops),
        }
        self.profile_memory, self.with_flops = profile.profile_memory, profile.with_flops
        self.recorded, self.thread, self.before = recorded, process_thread, before
        self.made = None

    def events(self):
        """The EventList."""
        if self.made is None:
            self.made = self._make()
            self.recorded = None
        return self.made

    def _make(self):
        rows, allocations, begun, since_epoch = self.recorded
        # Memory counts for the event during which it came, and for all that this is within.
        memory = [0] * len(rows)
        for _, nbytes, _, _, at in allocations:
            while at >= 0:
                memory[at] += nbytes
                at = rows[at][5]
        events = []
        for number, row in enumerate(rows):
            event = self._event(number, row, begun, memory[number])
            if row[5] >= 0:
                event.set_cpu_parent(events[row[5]])
                events[row[5]].append_cpu_child(event)
            event.stack = _stack(event)
            events.append(event)
        blocks = [((time - begun) / 1000, *rest) for time, *rest in allocations]
        trace = Trace(self.options, since_epoch, os.getpid(), self.thread, blocks)
        first = list(self.before.events()) if self.before else []
        made = EventList(first + events, profile_memory=self.profile_memory, with_flops=self.with_flops, trace=trace)
        made._tree_built = True
        return made

    def _event(self, number, row, begun, memory):
        name, kind, start, end, sequence, parent, given = row
        if kind == "python":
            name = _python_name(name)
        elif kind == "builtin":
            name = f"<built-in function {name}>"
        shapes, types, values = _arguments(given)
        backward = kind == "node" and name.startswith("autograd::engine::")
        scope = RecordScope.BACKWARD_FUNCTION if backward else RecordScope.FUNCTION
        return FunctionEvent(
            id=number,
            name=_rewrite_name(name, with_wildcard=True),
            trace_name=name,
            thread=1,
            start_us=(start - begun) / 1000,
            end_us=(end - begun) / 1000,
            fwd_thread=1 if backward and sequence >= 0 else 0,
            input_shapes=shapes,
            input_dtypes=types,
            concrete_inputs=values,
            scope=int(RecordScope.USER_SCOPE if kind == "range" else scope),
            cpu_memory_usage=memory,
            sequence_nr=sequence,
            device_resource_id=self.thread,
            flops=_flops(name, shapes, values) if self.with_flops and kind == "operator" else 0,
            is_user_annotation=kind == "range",
            is_python_function=kind in ("python", "builtin"),
            activity_type="python_function" if name.startswith("nn.Module: ") else _ACTIVITIES[kind],
        )


def _stack(event):
    """The functions of Python around it, the innermost first."""
    frames, at = [], event.cpu_parent
    while at is not None:
        if at.is_python_function:
            frames.append(at.name)
        at = at.cpu_parent
    return frames


class Modules:
    """While it has begun, calls of modules are ranges: "nn.Module: Linear_0"."""

    def __init__(self):
        from torch.nn.modules import module  # before anything is recorded

        self.hooks = module
        self.numbers = weakref.WeakKeyDictionary()
        self.counts = {}
        self.open = []

    def begin(self):
        """From now on."""
        self.handles = [
            self.hooks.register_module_forward_pre_hook(self._enter),
            self.hooks.register_module_forward_hook(self._leave, always_call=True),
        ]

    def end(self):
        """Until now."""
        for handle in self.handles:
            handle.remove()
        self.open.clear()

    def _enter(self, module, args):
        if module not in self.numbers:
            kind = type(module).__name__
            self.numbers[module] = self.counts.get(kind, 0)
            self.counts[kind] = self.numbers[module] + 1
        self.open.append(_C._profiler_begin(f"nn.Module: {type(module).__name__}_{self.numbers[module]}"))

    def _leave(self, module, args, result):
        if self.open:
            _C._profiler_end(self.open.pop())
