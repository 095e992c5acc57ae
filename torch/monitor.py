"""Events and counters of a program that runs: whoever wants to hear of them registers a function.

stat = torch.monitor.Stat("loss", [torch.monitor.MEAN], timedelta(seconds=60))
stat.add(0.5)                                    # an event with the mean, once in 60 seconds
torch.monitor.register_event_handler(print)
"""

from __future__ import annotations

import enum
import threading
import time
from datetime import datetime, timedelta

__all__ = [
    "Aggregation",
    "Event",
    "EventHandlerHandle",
    "Stat",
    "TensorboardEventHandler",
    "data_value_t",
    "log_event",
    "register_event_handler",
    "unregister_event_handler",
]

STAT_EVENT = "torch.monitor.Stat"  # the name of a Stat's events


class data_value_t:  # noqa: N801 - torch's name
    """Stands in signatures for what an event may hold: a str, float, int or bool."""

    def __init__(self, *_):
        raise TypeError("data_value_t stands for str, float, int and bool; it has no objects")


class Aggregation(enum.Enum):
    """What a Stat makes of its values."""

    VALUE = 0
    MEAN = 2
    COUNT = 3
    SUM = 4
    MAX = 5
    MIN = 6


class Event:
    """Something that happened: its name, when, and values by name."""

    def __init__(self, name, timestamp, data):
        if not isinstance(name, str):
            raise TypeError(f"Event: name has to be a str, not {type(name).__name__}")
        if not isinstance(timestamp, datetime):
            raise TypeError(f"Event: timestamp has to be a datetime, not {type(timestamp).__name__}")
        for key, value in data.items():
            if not isinstance(key, str) or not isinstance(value, (str, float, int)):
                raise TypeError(
                    f"Event: data has to hold str, float, int or bool by name, not {key!r}: {type(value).__name__}"
                )
        self.name, self.timestamp, self.data = name, timestamp, dict(data)

    def __repr__(self):
        return f"Event(name={self.name!r}, timestamp={self.timestamp!r}, data={self.data!r})"


class EventHandlerHandle:
    """What register_event_handler gives, for unregister_event_handler."""

    def __init__(self):
        raise TypeError("torch.monitor.EventHandlerHandle: No constructor defined!")


_lock = threading.Lock()
_handlers = {}


def register_event_handler(callback):
    """From now on `callback(event)` is called for each event, in the thread that logs it. What it raises comes out of
    log_event."""
    if not callable(callback):
        raise TypeError(f"register_event_handler: a callable is expected, not {type(callback).__name__}")
    handle = object.__new__(EventHandlerHandle)
    with _lock:
        _handlers[handle] = callback
    return handle


def unregister_event_handler(handler):
    """Ends what register_event_handler has begun."""
    if not isinstance(handler, EventHandlerHandle):
        raise TypeError(f"unregister_event_handler: an EventHandlerHandle is expected, not {type(handler).__name__}")
    with _lock:
        _handlers.pop(handler, None)


def log_event(event):
    """Hands an event to all that are registered."""
    if not isinstance(event, Event):
        raise TypeError(f"log_event: an Event is expected, not {type(event).__name__}")
    with _lock:
        handlers = list(_handlers.values())
    for handler in handlers:
        handler(event)


_UNLIMITED = 2**63 - 1
_FINISHED = {
    Aggregation.VALUE: lambda window: window.last,
    Aggregation.MEAN: lambda window: window.sum / window.count if window.count else 0.0,
    Aggregation.COUNT: lambda window: float(window.count),
    Aggregation.SUM: lambda window: window.sum,
    Aggregation.MAX: lambda window: window.max if window.count else 0.0,
    Aggregation.MIN: lambda window: window.min if window.count else 0.0,
}


class _Window:
    """The values of one period."""

    def __init__(self):
        self.count, self.sum, self.last = 0, 0.0, 0.0
        self.max, self.min = float("-inf"), float("inf")

    def add(self, value):
        self.count += 1
        self.sum += value
        self.last = value
        self.max, self.min = max(self.max, value), min(self.min, value)


class Stat:
    """Aggregates values over windows of time; each window's end is logged as an event "torch.monitor.Stat" with a value
    "name.mean" for each aggregation. `max_samples`: so many values end a window early, and more are left out until the
    time is over."""

    def __init__(self, name, aggregations, window_size, max_samples=_UNLIMITED):
        if not isinstance(window_size, timedelta):
            raise TypeError(f"Stat: window_size has to be a timedelta, not {type(window_size).__name__}")
        for aggregation in aggregations:
            if not isinstance(aggregation, Aggregation):
                raise TypeError(f"Stat: aggregations have to be torch.monitor.Aggregation, not {aggregation!r}")
        self.name = name
        self._aggregations = sorted(set(aggregations), key=lambda aggregation: aggregation.value)
        self._size = window_size.total_seconds()
        self._max_samples = max_samples
        self._number = self._window_number()
        self._window, self._finished = _Window(), _Window()
        self._full = False
        self._lock = threading.Lock()

    def _window_number(self):
        return time.monotonic() // self._size if self._size > 0 else 0

    def add(self, v):
        """One more value. Logs the window that is over, if there is one."""
        value = float(v)
        with self._lock:
            events = self._turn()
            if not self._full:
                self._window.add(value)
                if self._window.count >= self._max_samples:
                    self._full = True
                    events.append(self._end())
        self._log(events)

    def _turn(self):
        """Begins a new window where it is time."""
        number = self._window_number()
        if number == self._number:
            return []
        self._number = number
        self._full = False
        return [self._end()] if self._window.count else []

    def _end(self):
        self._finished, self._window = self._window, _Window()
        return self._event(self._finished)

    def _event(self, window):
        data = {f"{self.name}.{kind.name.lower()}": _FINISHED[kind](window) for kind in self._aggregations}
        return Event(STAT_EVENT, datetime.now(), data)

    @staticmethod
    def _log(events):
        for event in events:
            log_event(event)

    @property
    def count(self):
        """How many values the window that goes on has."""
        with self._lock:
            events = self._turn()
            count = self._window.count
        self._log(events)
        return count

    def get(self):
        """{Aggregation: value} of the last window that is over; zeros before there is one."""
        with self._lock:
            events = self._turn()
            found = {kind: _FINISHED[kind](self._finished) for kind in self._aggregations}
        self._log(events)
        return found

    def __del__(self):
        window = getattr(self, "_window", None)
        if window is not None and window.count:
            log_event(self._event(window))


class TensorboardEventHandler:
    """Writes values of events with a SummaryWriter. Register an object of it as a handler."""

    def __init__(self, writer) -> None:
        self._writer = writer

    def __call__(self, event: Event) -> None:
        if event.name == STAT_EVENT:
            for name, value in event.data.items():
                self._writer.add_scalar(name, value, walltime=event.timestamp.timestamp())


class _WaitCounterTracker:
    """A context: somebody waits."""

    def __init__(self, counter):
        self._counter = counter

    def __enter__(self):
        self._begun = time.monotonic()
        with _lock:
            self._counter.active += 1

    def __exit__(self, *_):
        with _lock:
            self._counter.active -= 1
            self._counter.total_calls += 1
            self._counter.total_seconds += time.monotonic() - self._begun


class _WaitCounter:
    """How many wait for something of that name, how often somebody has, and for how long."""

    def __init__(self, key):
        self.key, self.active, self.total_calls, self.total_seconds = key, 0, 0, 0.0

    def guard(self):
        """A context for the time of one wait."""
        return _WaitCounterTracker(self)


VALUE, MEAN, COUNT = Aggregation.VALUE, Aggregation.MEAN, Aggregation.COUNT
SUM, MAX, MIN = Aggregation.SUM, Aggregation.MAX, Aggregation.MIN
