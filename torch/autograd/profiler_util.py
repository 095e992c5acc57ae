"""What a profile consists of: events, lists of them, their averages."""

from __future__ import annotations

import itertools
from collections import defaultdict, namedtuple
from operator import attrgetter

from torch.autograd import _profiler_table, _profiler_trace
from torch.autograd._profiler_kinds import DeviceType
from torch.autograd._profiler_table import _format_memory, _format_time, _format_time_share  # noqa: F401

__all__ = [
    "EventList",
    "FormattedTimesMixin",
    "FunctionEvent",
    "FunctionEventAvg",
    "Interval",
    "Kernel",
    "MemRecordsAcc",
    "StringTable",
]

MEMORY_EVENT_NAME = "[memory]"
OUT_OF_MEMORY_EVENT_NAME = "[OutOfMemory]"

Kernel = namedtuple("Kernel", ["name", "device", "duration"])  # noqa: PYI024 - torch's name and fields


def _time(name):
    return property(lambda self: _format_time(getattr(self, name)), doc=f"`{name}` with its unit.")


class FormattedTimesMixin:
    """Times as text, and averages of the calls."""

    cpu_time_str = _time("cpu_time")
    device_time_str = _time("device_time")
    cpu_time_total_str = _time("cpu_time_total")
    device_time_total_str = _time("device_time_total")
    self_cpu_time_total_str = _time("self_cpu_time_total")
    self_device_time_total_str = _time("self_device_time_total")

    @property
    def cpu_time(self):
        """Microseconds of one call."""
        return 0.0 if self.count == 0 else 1.0 * self.cpu_time_total / self.count

    @property
    def device_time(self):
        """The same on a device."""
        return 0.0 if self.count == 0 else 1.0 * self.device_time_total / self.count

    cuda_time = device_time


class Interval:
    """From `start` to `end`, microseconds since the profile began."""

    def __init__(self, start, end):
        self.start, self.end = start, end

    def elapsed_us(self):
        """How long."""
        return self.end - self.start


class FunctionEvent(FormattedTimesMixin):
    """One call: of an operator, a node of the backward pass, a named range, a function of Python."""

    def __init__(
        self,
        id,  # noqa: A002 - torch's name
        name,
        thread,
        start_us,
        end_us,
        overload_name=None,
        fwd_thread=None,
        input_shapes=None,
        stack=None,
        scope=0,
        use_device=None,
        cpu_memory_usage=0,
        device_memory_usage=0,
        is_async=False,
        is_remote=False,
        sequence_nr=-1,
        node_id=-1,
        device_type=DeviceType.CPU,
        device_index=0,
        device_resource_id=None,
        is_legacy=False,
        flops=None,
        trace_name=None,
        concrete_inputs=None,
        kwinputs=None,
        is_user_annotation=False,
        is_python_function=False,
        activity_type=None,
        input_dtypes=None,
    ) -> None:
        self.id, self.node_id, self.name = id, node_id, name
        self.overload_name = overload_name or ""
        self.trace_name = trace_name or name
        self.time_range = Interval(start_us, end_us)
        self.thread, self.fwd_thread = thread, fwd_thread
        self.kernels, self.count = [], 1
        self.cpu_children, self.cpu_parent = [], None
        self.input_shapes = [] if input_shapes is None else input_shapes
        self.concrete_inputs = [] if concrete_inputs is None else concrete_inputs
        self.input_dtypes = [] if input_dtypes is None else input_dtypes
        self.kwinputs = kwinputs or {}
        self.stack = [] if stack is None else stack
        self.scope, self.use_device = scope, use_device
        self.cpu_memory_usage, self.device_memory_usage = cpu_memory_usage, device_memory_usage
        self.is_async, self.is_remote, self.sequence_nr = is_async, is_remote, sequence_nr
        self.device_type, self.device_index = device_type, device_index
        self.device_resource_id = thread if device_resource_id is None else device_resource_id
        self.is_legacy, self.flops = is_legacy, flops
        self.is_user_annotation, self.is_python_function = is_user_annotation, is_python_function
        self.activity_type = activity_type
        self.self_cpu_percent = self.total_cpu_percent = self.total_device_percent = -1

    def append_kernel(self, name, device, duration):
        """A kernel of a device that the call has started."""
        self.kernels.append(Kernel(name, device, duration))

    def append_cpu_child(self, child):
        """A call within this one."""
        self.cpu_children.append(child)

    def set_cpu_parent(self, parent):
        """The call that this one is within."""
        self.cpu_parent = parent

    def _without_children(self, name):
        return getattr(self, name) - sum(getattr(child, name) for child in self.cpu_children)

    @property
    def self_cpu_memory_usage(self):
        """Bytes that the calls within this one have not taken."""
        return 0 if self.is_async or self.device_type != DeviceType.CPU else self._without_children("cpu_memory_usage")

    @property
    def self_device_memory_usage(self):
        """The same of a device."""
        return (
            0 if self.is_async or self.device_type != DeviceType.CPU else self._without_children("device_memory_usage")
        )

    @property
    def cpu_time_total(self):
        """Microseconds from beginning to end."""
        return self.time_range.elapsed_us() if self.device_type == DeviceType.CPU else 0

    @property
    def self_cpu_time_total(self):
        """Microseconds outside of the calls within this one."""
        return 0 if self.is_async or self.device_type != DeviceType.CPU else self._without_children("cpu_time_total")

    @property
    def device_time_total(self):
        """Microseconds of the kernels that this call and those within have started."""
        if self.is_async or not self.use_device:
            return 0
        own = sum(kernel.duration for kernel in self.kernels)
        return own + sum(child.device_time_total for child in self.cpu_children)

    @property
    def self_device_time_total(self):
        """Of the kernels that this call itself has started."""
        return 0 if self.is_async or not self.use_device else self._without_children("device_time_total")

    cuda_time_total, self_cuda_time_total = device_time_total, self_device_time_total
    self_cuda_memory_usage = self_device_memory_usage

    @property
    def key(self):
        """What averages go by."""
        return self.name

    def __repr__(self):
        device = self.use_device
        return (
            f"<FunctionEvent id={self.id} name={self.name} overload_name={self.overload_name} device_type={self.device_type} "
            f"node_id={self.node_id} cpu_time={self.cpu_time_str} start_us={self.time_range.start} "
            f"end_us={self.time_range.end} cpu_children={[child.id for child in self.cpu_children]} "
            f"{device}_time={self.device_time_str} name={self.name} thread={self.thread} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} "
            f"{device}_memory_usage={self.device_memory_usage} is_async={self.is_async} is_remote={self.is_remote} "
            f"seq_nr={self.sequence_nr} is_legacy={self.is_legacy}>"
        )


class FunctionEventAvg(FormattedTimesMixin):
    """All calls of one name, or of one name and shapes: sums of their times and memory."""

    _SUMS = (
        "cpu_time_total",
        "device_time_total",
        "self_cpu_time_total",
        "self_device_time_total",
        "cpu_memory_usage",
        "device_memory_usage",
        "self_cpu_memory_usage",
        "self_device_memory_usage",
        "count",
    )

    def __init__(self):
        self.key = None
        self.node_id, self.is_async, self.is_remote = 0, False, False
        self.use_device = None
        for name in self._SUMS:
            setattr(self, name, 0)
        self.input_shapes, self.overload_name, self.stack, self.scope = None, None, None, None
        self.cpu_parent, self.cpu_children = None, None
        self.device_type = DeviceType.CPU
        self.is_legacy, self.flops, self.is_user_annotation = False, 0, False

    _FIRST = (
        *("key", "node_id", "is_async", "is_remote", "cpu_parent", "cpu_children", "overload_name", "input_shapes"),
        *("stack", "scope", "device_type", "is_legacy", "use_device", "is_user_annotation"),
    )

    def add(self, other):
        """One more event, or average, of the same key."""
        if self.key is None:
            for name in self._FIRST:
                setattr(self, name, getattr(other, name))
        if other.key != self.key:
            raise AssertionError(f"an average of '{self.key}' cannot take '{other.key}'")
        for name in self._SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if other.flops is not None:
            self.flops = (self.flops or 0) + other.flops
        return self

    __iadd__ = add

    def __repr__(self):
        device = self.use_device or "cuda"
        return (
            f"<FunctionEventAvg key={self.key} self_cpu_time={self.self_cpu_time_total_str} cpu_time={self.cpu_time_str} "
            f" self_{device}_time={self.self_device_time_total_str} {device}_time={self.device_time_str} "
            f"input_shapes={self.input_shapes} cpu_memory_usage={self.cpu_memory_usage} "
            f"{device}_memory_usage={self.device_memory_usage}>"
        )


class EventList(list):
    """Events of a profile, or averages of them."""

    def __init__(self, *args, **kwargs) -> None:
        self._use_device = kwargs.pop("use_device", None)
        self._profile_memory = kwargs.pop("profile_memory", False)
        self._with_flops = kwargs.pop("with_flops", False)
        self._trace = kwargs.pop("trace", None)  # what export_chrome_trace writes besides
        super().__init__(*args, **kwargs)
        self._tree_built = False

    def __str__(self):
        return self.table()

    def _build_tree(self):
        """Finds out which events lie within which, by their times."""
        by_thread = defaultdict(list)
        for event in self:
            if not event.is_async and event.device_type == DeviceType.CPU:
                by_thread[event.thread].append(event)
        for events in by_thread.values():
            open_events = []
            for event in sorted(events, key=lambda event: (event.time_range.start, -event.time_range.end)):
                while open_events and open_events[-1].time_range.end <= event.time_range.start:
                    open_events.pop()
                if open_events and event.cpu_parent is None and event.time_range.end <= open_events[-1].time_range.end:
                    open_events[-1].append_cpu_child(event)
                    event.set_cpu_parent(open_events[-1])
                open_events.append(event)
        self._tree_built = True

    _populate_cpu_children = _build_tree

    @property
    def self_cpu_time_total(self):
        """Microseconds of all events, each counted once."""
        return sum(event.self_cpu_time_total for event in self)

    def table(
        self,
        sort_by=None,
        row_limit=100,
        max_src_column_width=75,
        max_name_column_width=55,
        max_shapes_column_width=80,
        header=None,
        top_level_events_only=False,
        time_unit=None,
    ):
        """The events as a table. `sort_by`: an attribute, such as cpu_time_total, self_cpu_time_total, cpu_time,
        cpu_memory_usage, self_cpu_memory_usage, count; the largest come first. `row_limit`: -1 for all."""
        return _profiler_table.table(
            self,
            sort_by=sort_by,
            row_limit=row_limit,
            max_src_column_width=max_src_column_width,
            max_name_column_width=max_name_column_width,
            max_shapes_column_width=max_shapes_column_width,
            header=header,
            profile_memory=self._profile_memory,
            with_flops=self._with_flops,
            top_level_events_only=top_level_events_only,
            time_unit=time_unit,
        )

    def export_chrome_trace(self, path):
        """Writes the events as JSON for Perfetto and chrome://tracing; compressed if the path ends in .gz."""
        _profiler_trace.write(path, self, self._trace)

    def supported_export_stacks_metrics(self):
        """What export_stacks can write."""
        return ["self_cpu_time_total", "self_cuda_time_total", "self_xpu_time_total", "self_privateuse1_time_total"]

    def export_stacks(self, path: str, metric: str):
        """Writes a line "outermost;…;innermost number" for each event with a stack, as flame graphs are made of."""
        if metric not in self.supported_export_stacks_metrics():
            raise ValueError(f"metric should be one of: {self.supported_export_stacks_metrics()}")
        if not metric.startswith("self_cpu"):
            metric = "self_device_time_total"
        table = str.maketrans(" ;\t\n", "____")
        with open(path, "w") as file:
            for event in self:
                if event.stack and (value := int(getattr(event, metric))) > 0:
                    frames = [frame.translate(table) for frame in reversed(event.stack)]
                    file.write(";".join(frames) + f" {value}\n")

    def key_averages(self, group_by_input_shapes=False, group_by_stack_n=0, group_by_overload_name=False):
        """Averages by name, as an EventList of FunctionEventAvg; by name and what is asked for besides: shapes of the
        arguments, the innermost n functions of the stack, the operator's overload."""
        stats = defaultdict(FunctionEventAvg)

        def key(event):
            parts = [event.key, event.node_id, event.device_type, event.is_legacy, event.is_user_annotation]
            if group_by_overload_name:
                parts.append(event.overload_name)
            if group_by_input_shapes:
                parts.append(str(event.input_shapes))
            if group_by_stack_n > 0:
                parts += event.stack[:group_by_stack_n]
            return tuple(parts)

        for event in self:
            stats[key(event)].add(event)
        averages = EventList(
            stats.values(),
            use_device=self._use_device,
            profile_memory=self._profile_memory,
            with_flops=self._with_flops,
        )
        for event in averages:
            event.stack = event.stack[:group_by_stack_n]
            event.input_shapes = str(event.input_shapes) if group_by_input_shapes else ""
            if not group_by_overload_name:
                event.overload_name = ""
        return averages

    def total_average(self):
        """One FunctionEventAvg of all, "Total"."""
        total = FunctionEventAvg()
        for event in self:
            total.key = None
            total.add(event)
        total.key = "Total"
        return total


class StringTable(defaultdict):
    """Names as they are to be read, each worked out once. (Names of C++ are read already.)"""

    def __missing__(self, key):
        self[key] = key
        return key


class MemRecordsAcc:
    """Records of memory by time: objects with start_ns()."""

    def __init__(self, mem_records) -> None:
        self._mem_records = mem_records
        order = sorted(range(len(mem_records)), key=lambda i: mem_records[i][0].start_ns())
        self._indices = order
        self._starts = [mem_records[i][0].start_ns() for i in order]

    def in_interval(self, start_ns, end_ns):
        """Those from start to end."""
        import bisect

        begin = bisect.bisect_left(self._starts, start_ns)
        end = bisect.bisect_right(self._starts, end_ns)
        for i in itertools.islice(self._indices, begin, end):
            yield self._mem_records[i]


_EVENT_NAMES_HIDDEN = frozenset(
    {
        MEMORY_EVENT_NAME,
        OUT_OF_MEMORY_EVENT_NAME,
        "profiler::_record_function_enter",
        "profiler::_record_function_enter_new",
        "profiler::_record_function_exit",
        "aten::is_leaf",
        "aten::output_nr",
        "aten::_version",
    }
)


def _filter_name(name):
    """Whether events of that name are left out."""
    return name in _EVENT_NAMES_HIDDEN


def _filter_stack_entry(entry):
    """Whether a line of a stack is shown: not the profiler's own."""
    hidden = (("autograd/__init__", "_make_grads"), ("autograd/__init__", "backward"), ("torch/tensor", "backward"))
    return all(not (file in entry and function in entry) for file, function in hidden)


def _rewrite_name(name, with_wildcard=False):
    """The name to be shown."""
    if name == "":
        name = "[unknown]"
    if with_wildcard and name.startswith("ProfilerStep#"):
        name = "ProfilerStep*"
    return name


by_start = attrgetter("time_range.start")
