"""Streams: queues of work on a GPU, which runs in order in each. Events: marks in them."""

from __future__ import annotations

import threading

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch.types import Device

__all__ = ["Event", "ExternalStream", "Stream", "StreamContext"]


_entered = threading.local()  # contexts: of the streams that the thread has entered themselves, the innermost last


def _check_build(name):
    if not torch.cuda._is_compiled():
        raise RuntimeError(f"torch.cuda.{name} requires CUDA support, and this torch is built without")


class Stream:
    """Stream(device=None, priority=0): a queue of work on a GPU, one of 32 that it has for each priority. A priority
    below 0 is a high one. RuntimeError without CUDA."""

    def __new__(cls, device=None, priority=0, *, stream_ptr=None):
        _check_build(cls.__name__)
        self = super().__new__(cls)
        self._index = torch.cuda._index_of(device)
        if stream_ptr is None:
            stream_ptr = torch.cuda._native().stream_from_pool(self._index, int(priority))
        self.cuda_stream = int(stream_ptr)
        return self

    @property
    def device(self):
        """The GPU that it is of."""
        return torch.device("cuda", self._index)

    @property
    def device_index(self):
        """That one's index."""
        return self._index

    @property
    def stream_id(self):
        """An int that no other stream of the device has."""
        return self.cuda_stream

    @property
    def priority(self):
        """Its priority: below 0, a high one."""
        return torch.cuda._native().stream_priority(self.cuda_stream, self._index)

    @staticmethod
    def priority_range():
        """(least, greatest), the latter a number not above 0."""
        return torch.cuda._ready().priority_range()

    def query(self) -> bool:
        """Whether all its work is done."""
        return torch.cuda._native().stream_query(self.cuda_stream, self._index)

    def synchronize(self) -> None:
        """Waits until all its work is done."""
        torch.cuda._native().stream_synchronize(self.cuda_stream, self._index)

    def record_event(self, event=None):
        """Marks the work so far with an event, a new one unless it is given, and returns it."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event) -> None:
        """Later work waits for the event."""
        event.wait(self)

    def wait_stream(self, stream: Stream | torch.Stream) -> None:
        """Later work waits for all that the other stream has got so far."""
        self.wait_event(stream.record_event())

    def __cuda_stream__(self):
        """(version of the protocol, the cudaStream_t), for other libraries."""
        return 0, self.cuda_stream

    def __eq__(self, other) -> bool:
        return isinstance(other, Stream) and (self._index, self.cuda_stream) == (other._index, other.cuda_stream)

    def __hash__(self):
        return hash((self._index, self.cuda_stream))

    def __repr__(self):
        return f"<torch.cuda.{type(self).__name__} device={self.device} cuda_stream={self.cuda_stream:#x}>"

    def __enter__(self):
        context = StreamContext(self)
        context.__enter__()
        _entered.__dict__.setdefault("contexts", []).append(context)
        return self

    def __exit__(self, *error):
        return _entered.contexts.pop().__exit__(*error)


Stream.__module__ = "torch.cuda"


class ExternalStream(Stream):
    """ExternalStream(stream_ptr, device=None): a cudaStream_t of another library, an int, which must outlive this."""

    def __new__(cls, stream_ptr, device=None):
        return super().__new__(cls, device, stream_ptr=stream_ptr)


ExternalStream.__module__ = "torch.cuda"


class Event:
    """Event(enable_timing=False, blocking=False, interprocess=False): a mark in a stream, to wait for, and to measure
    time between. It is of the device on which it is first recorded. RuntimeError without CUDA."""

    __module__ = "torch.cuda"

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        _check_build("Event")
        self._native = torch.cuda._ready()
        self._event = self._native.event_new(bool(enable_timing), bool(blocking), bool(interprocess))

    def record(self, stream: Stream | torch.Stream | None = None):
        """Marks what the stream, the current one unless it is given, has got so far."""
        stream = torch.cuda.current_stream() if stream is None else stream
        self._native.event_record(self._event, stream.cuda_stream, stream.device_index)

    def wait(self, stream: Stream | torch.Stream | None = None) -> None:
        """Later work of the stream, the current one unless it is given, waits for the event."""
        stream = torch.cuda.current_stream() if stream is None else stream
        self._native.event_wait(self._event, stream.cuda_stream, stream.device_index)

    def query(self):
        """Whether what it marks is done; True if it marks nothing."""
        return self._native.event_query(self._event)

    def synchronize(self) -> None:
        """Waits until it is."""
        self._native.event_synchronize(self._event)

    def elapsed_time(self, end_event: Event):
        """Milliseconds from this event to the other. Both must have been made with enable_timing=True, and recorded."""
        return self._native.event_elapsed(self._event, end_event._event)

    @property
    def device(self):
        """The GPU that it was recorded on, or None."""
        index = self._native.event_device(self._event)
        return None if index < 0 else torch.device("cuda", index)

    @property
    def cuda_event(self):
        """The cudaEvent_t, an int; 0 before it is recorded."""
        return self._native.event_handle(self._event)

    def ipc_handle(self):
        """Raises: events are not shared between processes here."""
        raise RuntimeError("Event.ipc_handle: this torch does not share events between processes")

    def __repr__(self) -> str:
        return f"<torch.cuda.Event {self.cuda_event:#x}>" if self.cuda_event else "<torch.cuda.Event uninitialized>"


def current_stream(device: Device = None) -> Stream:
    """The current Stream of a GPU."""
    index = torch.cuda._index_of(device)
    return Stream(index, stream_ptr=torch.cuda._native().current_stream(index))


def default_stream(device: Device = None) -> Stream:
    """The Stream of a GPU that is current unless another is chosen."""
    return Stream(torch.cuda._index_of(device), stream_ptr=0)


def get_stream_from_external(data_ptr: int, device: Device = None) -> Stream:
    """A Stream for a cudaStream_t of another library, given as an int."""
    return ExternalStream(data_ptr, device)


def set_stream(stream: Stream):
    """Makes `stream` the current one, and its device the current device; None: no change."""
    if stream is None:
        return
    torch.cuda.set_device(stream.device_index)
    torch.cuda._native().set_current_stream(stream.device_index, stream.cuda_stream)


class StreamContext:
    """What `stream(stream)` returns."""

    __module__ = "torch.cuda"

    def __init__(self, stream) -> None:
        self.stream = stream

    def __enter__(self):
        if self.stream is None:
            return
        self.src_prev_stream = current_stream()
        self.dst_prev_stream = current_stream(self.stream.device)
        set_stream(self.stream)

    def __exit__(self, *error):
        if self.stream is not None:
            set_stream(self.dst_prev_stream)
            set_stream(self.src_prev_stream)
        return False


def stream(stream) -> StreamContext:
    """The context in which `stream`, and its device, are the current ones; None: no change."""
    return StreamContext(stream)


for _function in (current_stream, default_stream, get_stream_from_external, set_stream, stream):
    _function.__module__ = "torch.cuda"
del _function
