"""Streams and events: order, waiting, time."""

import pytest
import torch


def test_the_current_stream():
    default, stream = torch.cuda.default_stream(), torch.cuda.Stream()
    assert default == torch.cuda.current_stream() and default.cuda_stream == 0 and stream != default
    with torch.cuda.stream(stream) as nothing:
        assert nothing is None
        assert torch.cuda.current_stream() == stream
        with torch.cuda.stream(None):
            assert torch.cuda.current_stream() == stream
    assert torch.cuda.current_stream() == default
    with stream:
        assert torch.accelerator.current_stream() == stream
    torch.cuda.set_stream(stream)
    assert torch.cuda.current_stream() == stream
    assert stream.device == torch.device("cuda:0") and len({stream, torch.cuda.current_stream()}) == 1


def test_a_stream_of_another_device(second):
    stream = torch.cuda.Stream(second)
    with torch.cuda.stream(stream):
        assert torch.cuda.current_device() == 1 and torch.cuda.current_stream() == stream
        assert torch.ones(2, device="cuda").device == second
    assert torch.cuda.current_device() == 0
    assert torch.cuda.current_stream(second) == torch.cuda.default_stream(second)


def test_streams_of_a_pool():
    streams = [torch.cuda.Stream() for _ in range(40)]
    assert len(set(streams)) == 32
    least, greatest = torch.cuda.Stream.priority_range()
    assert greatest <= least
    high = torch.cuda.Stream(priority=greatest)
    assert high.priority == greatest or greatest == least
    assert high not in streams


def test_work_waits_for_work():
    a = torch.arange(1000.0, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        b = a + 1
        done = stream.record_event()
    a.record_stream(stream)
    torch.cuda.current_stream().wait_event(done)
    b.record_stream(torch.cuda.current_stream())
    c = b * 2
    stream.synchronize()
    assert stream.query() and done.query()
    assert c.tolist() == [2 * (x + 1) for x in range(1000)]


def test_events():
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    assert start.query() and start.device is None and start.cuda_event == 0 and "uninitialized" in repr(start)
    start.record()
    torch.ones(1000, device="cuda").add_(1)
    end.record()
    end.synchronize()
    assert start.elapsed_time(end) >= 0 and start.device == torch.device("cuda:0") and start.cuda_event
    with pytest.raises(ValueError, match="must be recorded"):
        start.elapsed_time(torch.cuda.Event(enable_timing=True))
    with pytest.raises((RuntimeError, ValueError)):
        untimed = torch.cuda.Event()
        untimed.record()
        start.elapsed_time(untimed)
    with pytest.raises(RuntimeError, match="between processes"):
        start.ipc_handle()


def test_a_stream_of_another_library():
    own = torch.cuda.Stream()
    again = torch.cuda.ExternalStream(own.cuda_stream)
    assert again == own and torch.cuda.get_stream_from_external(own.cuda_stream) == own
    assert own.__cuda_stream__() == (0, own.cuda_stream)
    with torch.cuda.stream(again):
        assert torch.ones(3, device="cuda").sum().item() == 3


def test_record_stream_is_of_devices():
    with pytest.raises(NotImplementedError, match="'aten::record_stream' with a tensor on cpu"):
        torch.ones(1).record_stream(torch.cuda.current_stream())
    for wrong in (None, 3, "cuda:0"):
        with pytest.raises(RuntimeError, match="unknown parameter type"):
            torch.ones(1, device="cuda").record_stream(wrong)


def awaiting():
    """Bytes that have been freed and are not given out again before a stream that uses them."""
    stats = torch.cuda.memory_stats()
    return stats["active_bytes.all.current"] - stats["allocated_bytes.all.current"]


@pytest.mark.parametrize("default", [False, True])
def test_record_stream_of_another_device(second, default):
    stream = torch.cuda.default_stream(second) if default else torch.cuda.Stream(second)
    torch.cuda.synchronize(second)
    torch.cuda.empty_cache()
    before, nbytes = awaiting(), 64 << 20
    a = torch.empty(nbytes, dtype=torch.uint8, device="cuda:0")
    a.record_stream(stream)
    with torch.cuda.stream(stream):
        square = torch.ones(700, 700, device=second)
        for _ in range(3):
            square = square @ square / 700
    del a
    if not stream.query():  # it has work: what it uses waits
        assert awaiting() == before + nbytes
    torch.cuda.synchronize(second)
    torch.cuda.empty_cache()
    assert awaiting() == before
    assert square.sum().item() == 700 * 700
