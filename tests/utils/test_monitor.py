"""torch.monitor: statistics over windows, events, handlers. Values are those of PyTorch 2.13."""

import gc
import time
from datetime import datetime, timedelta

import pytest
import torch
from torch import monitor
from torch.monitor import Aggregation, Event, Stat

ALL = [monitor.SUM, monitor.COUNT, monitor.MEAN, monitor.MIN, monitor.MAX]


@pytest.fixture
def seen():
    events = []
    handle = monitor.register_event_handler(events.append)
    yield events
    monitor.unregister_event_handler(handle)


def test_windows(seen):
    stat = Stat("loss", ALL, timedelta(milliseconds=40))
    assert stat.get() == dict.fromkeys(ALL, 0.0) and stat.count == 0
    while stat.count != 2:  # both in one window
        stat = Stat("loss", ALL, timedelta(milliseconds=40))
        seen.clear()
        stat.add(2)
        stat.add(3.5)
    assert not seen
    time.sleep(0.05)
    stat.add(1)
    assert stat.count == 1
    assert {kind.name: value for kind, value in stat.get().items()} == {
        "SUM": 5.5,
        "COUNT": 2.0,
        "MEAN": 2.75,
        "MIN": 2.0,
        "MAX": 3.5,
    }
    (event,) = seen
    assert event.name == "torch.monitor.Stat" and isinstance(event.timestamp, datetime)
    assert event.data == {"loss.sum": 5.5, "loss.count": 2.0, "loss.mean": 2.75, "loss.min": 2.0, "loss.max": 3.5}


def test_a_full_window_leaves_the_rest_out(seen):
    stat = Stat("x", [monitor.SUM, monitor.MEAN], timedelta(days=1), max_samples=2)
    for value in (1, 2, 3, 3):
        stat.add(value)
    assert stat.count == 0 and stat.get() == {monitor.SUM: 3.0, monitor.MEAN: 1.5}
    assert [event.data for event in seen] == [{"x.sum": 3.0, "x.mean": 1.5}]


def test_the_last_window_is_logged_at_the_end(seen):
    stat = Stat("x", [monitor.SUM], timedelta(days=1))
    stat.add(4)
    del stat
    gc.collect()
    assert [event.data for event in seen] == [{"x.sum": 4.0}]


def test_events_and_handlers(seen):
    event = Event(name="x", timestamp=datetime.now(), data={"a": 1, "b": "t", "c": 2.5, "d": True})
    monitor.log_event(event)
    assert seen == [event] and event.data == {"a": 1, "b": "t", "c": 2.5, "d": True}

    def broken(event):
        raise ValueError("no")

    handle = monitor.register_event_handler(broken)
    with pytest.raises(ValueError, match="no"):
        monitor.log_event(event)
    monitor.unregister_event_handler(handle)
    monitor.log_event(event)
    assert len(seen) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Event("x", datetime.now(), {"a": [1]}),
        lambda: Event("x", 3, {}),
        lambda: Stat("x", [3], timedelta(1)),
        lambda: Stat("x", [monitor.SUM], 60),
        lambda: monitor.register_event_handler(3),
        lambda: monitor.unregister_event_handler(3),
        lambda: monitor.log_event("x"),
        monitor.EventHandlerHandle,
    ],
)
def test_wrong_types(wrong):
    with pytest.raises(TypeError):
        wrong()


def test_values_go_to_a_writer():
    class Writer:
        rows = []

        def add_scalar(self, tag, value, walltime):
            self.rows.append((tag, value, walltime))

    event = Event("torch.monitor.Stat", datetime(2026, 1, 2), {"loss.mean": 0.5})
    monitor.TensorboardEventHandler(Writer())(event)
    assert Writer.rows == [("loss.mean", 0.5, datetime(2026, 1, 2).timestamp())]


def test_waiting():
    counter = monitor._WaitCounter("lock")
    with counter.guard():
        assert counter.active == 1
    assert counter.active == 0 and counter.total_calls == 1


def test_names():
    assert [kind.name for kind in Aggregation] == ["VALUE", "MEAN", "COUNT", "SUM", "MAX", "MIN"]
    assert torch.monitor is monitor
