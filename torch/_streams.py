"""torch.Stream and torch.Event for whatever device: the CPU has one stream, in which everything happens at once."""

import torch


def _device(device, who):
    found = torch.device("cpu" if device is None else device)
    if found.type not in ("cpu", "cuda"):
        raise RuntimeError(f"torch.{who}: this torch has no streams on {found}")
    return found


class Stream:
    """A queue of work on a device. On the CPU work is done when the call returns; on CUDA use torch.cuda.Stream."""

    def __new__(cls, device=None, *, priority=0, stream_id=None, device_index=None, device_type=None):
        device = _device(device, "Stream")
        if device.type == "cuda":
            return torch.cuda.Stream(device, priority)
        self = super().__new__(cls)
        self.device, self.stream_id, self.device_index, self.device_type = device, 0, -1, 0
        return self

    def query(self):
        """Whether all work is done: yes."""
        return True

    def synchronize(self):
        """Waits for the work; there is none to wait for."""

    def wait_event(self, event):
        """Later work waits for `event`; it has happened."""

    def wait_stream(self, other):
        """Later work waits for the work of `other`; it is done."""

    def record_event(self, event=None):
        """An Event that happens when the work so far is done."""
        event = Event(self.device) if event is None else event
        event.record(self)
        return event

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __eq__(self, other):
        return isinstance(other, Stream) and self.device == other.device

    def __hash__(self):
        return hash((Stream, self.device))

    def __repr__(self):
        return f"torch.Stream device_type={self.device.type}, device_index=-1, stream_id=0"


class Event:
    """A moment in a stream's work. On the CPU it has happened when it has been recorded; on CUDA use torch.cuda.Event."""

    def __new__(cls, device=None, *, enable_timing=False, blocking=False, interprocess=False):
        device = _device(device, "Event")
        if device.type == "cuda":
            return torch.cuda.Event(enable_timing, blocking, interprocess)
        self = super().__new__(cls)
        self.device, self.event_id, self._timed, self._when = device, 0, enable_timing, None
        return self

    def record(self, stream=None):
        """The moment is now."""
        import time

        self._when = time.perf_counter()

    def query(self):
        """Whether it has happened."""
        return True

    def wait(self, stream=None):
        """Later work of the stream waits for it; it has happened."""

    def synchronize(self):
        """Waits until it has happened."""

    def elapsed_time(self, end_event):
        """Milliseconds from this event to `end_event`. RuntimeError unless both were made with enable_timing=True and
        have been recorded."""
        if not (self._timed and end_event._timed):
            raise RuntimeError("Event.elapsed_time: both events must be created with argument 'enable_timing=True'")
        if self._when is None or end_event._when is None:
            raise RuntimeError("Event.elapsed_time: both events must be recorded before calculating elapsed time")
        return 1000 * (end_event._when - self._when)

    def __repr__(self):
        return f"torch.Event device_type={self.device.type}, device_index=-1, event_flag={int(self._timed)}, event_id=0"
