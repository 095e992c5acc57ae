"""Memory: counters, the cache, running out, pinned memory."""

import gc

import pytest
import torch

KINDS = ("current", "peak", "allocated", "freed")


@pytest.fixture(autouse=True)
def clean():
    torch.zeros(1, device="cuda")
    gc.collect()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    torch.cuda.reset_accumulated_memory_stats()


def test_counters_follow_tensors():
    before = torch.cuda.memory_allocated()
    a = torch.empty(1000, dtype=torch.uint8, device="cuda")
    assert torch.cuda.memory_allocated() == before + 1024  # by 512
    b = torch.empty(3 << 20, dtype=torch.uint8, device="cuda")
    most = torch.cuda.memory_allocated()
    assert most == before + 1024 + (3 << 20)
    assert torch.cuda.memory_reserved() >= most and torch.cuda.memory_cached() == torch.cuda.memory_reserved()
    del a, b
    assert torch.cuda.memory_allocated() == before
    assert torch.cuda.max_memory_allocated() == most == torch.accelerator.max_memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    assert torch.cuda.max_memory_allocated() == before


def test_keys():
    stats = torch.cuda.memory_stats()
    assert list(stats) == sorted(stats)
    for name in (
        "allocation segment active inactive_split allocated_bytes reserved_bytes active_bytes inactive_split_bytes "
        "requested_bytes"
    ).split():
        for pool in ("all", "small_pool", "large_pool"):
            assert {f"{name}.{pool}.{kind}" for kind in KINDS} <= stats.keys()
    for name in ("oversize_allocations", "oversize_segments"):
        assert {f"{name}.{kind}" for kind in KINDS} <= stats.keys()
    assert {"num_alloc_retries", "num_ooms", "max_split_size", "num_device_alloc", "num_device_free"} <= stats.keys()
    nested = torch.cuda.memory_stats_as_nested_dict()
    assert nested["allocated_bytes"]["all"]["current"] == stats["allocated_bytes.all.current"]


def test_a_block_is_used_again():
    a = torch.empty(1 << 20, device="cuda")
    place, reserved = a.data_ptr(), torch.cuda.memory_reserved()
    del a
    assert torch.empty(1 << 20, device="cuda").data_ptr() == place
    assert torch.cuda.memory_reserved() == reserved
    torch.cuda.empty_cache()
    assert torch.cuda.memory_reserved() < reserved


def test_snapshot_and_summary():
    a = torch.empty(1000, device="cuda")
    segments = torch.cuda.memory_snapshot()
    assert sum(s["allocated_size"] for s in segments if s["device"] == 0) == torch.cuda.memory_allocated()
    assert sum(s["total_size"] for s in segments if s["device"] == 0) == torch.cuda.memory_reserved()
    (block,) = (b for s in segments for b in s["blocks"] if b["address"] == a.data_ptr())
    assert block["state"] == "active_allocated" and block["requested_size"] == 4000 and block["size"] == 4096
    summary = torch.cuda.memory_summary()
    assert "Allocated memory" in summary and "from small pool" in summary
    assert "from small pool" not in torch.cuda.memory_summary(abbreviated=True)


def test_out_of_memory_is_survived():
    _, total = torch.cuda.mem_get_info()
    before = torch.cuda.memory_allocated()
    with pytest.raises(torch.cuda.OutOfMemoryError, match="out of memory"):
        torch.empty(2 * total, dtype=torch.uint8, device="cuda")
    assert issubclass(torch.OutOfMemoryError, RuntimeError) and torch.OutOfMemoryError is torch.cuda.OutOfMemoryError
    assert torch.cuda.memory_allocated() == before and torch.cuda.memory_stats()["num_ooms"] >= 1
    assert torch.ones(2, device="cuda").tolist() == [1, 1]


def test_a_share_of_the_memory():
    for wrong, error in ((1, TypeError), (1.5, ValueError), (-0.5, ValueError)):
        with pytest.raises(error, match="fraction"):
            torch.cuda.set_per_process_memory_fraction(wrong)
    _, total = torch.cuda.mem_get_info()
    size = min(total // 2, 64 << 20)
    fraction = size / 2 / total
    torch.cuda.set_per_process_memory_fraction(fraction)
    try:
        assert torch.cuda.get_per_process_memory_fraction() == fraction
        with pytest.raises(torch.OutOfMemoryError):
            torch.empty(size, dtype=torch.uint8, device="cuda")
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    torch.empty(size, dtype=torch.uint8, device="cuda")


def test_memory_for_other_libraries():
    before = torch.cuda.memory_allocated()
    address = torch.cuda.caching_allocator_alloc(1000)
    assert address and torch.cuda.memory_allocated() == before + 1024
    torch.cuda.caching_allocator_delete(address)
    assert torch.cuda.memory_allocated() == before
    assert torch.cuda.get_allocator_backend() == "native"
    with pytest.raises(TypeError, match="stream"):
        torch.cuda.caching_allocator_alloc(10, stream="no")


def test_pinned_memory():
    a = torch.arange(1000.0)
    assert not a.is_pinned()
    b = a.pin_memory()
    assert b.is_pinned() and b.equal(a) and b.pin_memory() is b and b[10:].is_pinned()
    assert b.untyped_storage().is_pinned() and a.untyped_storage().pin_memory().is_pinned()
    c = b.to("cuda", non_blocking=True)
    back = torch.empty(1000).pin_memory()
    back.copy_(c, non_blocking=True)
    torch.cuda.synchronize()
    assert back.equal(a)
    d = torch.empty(1000, device="cuda").copy_(a, non_blocking=True)  # from pageable memory
    assert d.cpu().equal(a)
    with pytest.raises(RuntimeError, match="only dense CPU tensors can be pinned"):
        c.pin_memory()
    assert a.pin_memory("cuda").is_pinned() and a.pin_memory("cuda:0").is_pinned()
    for device in ("cpu", "meta"):
        with pytest.raises(RuntimeError, match=f"{device.upper()} device type not an accelerator"):
            a.pin_memory(device)
    for made in (
        torch.ones(3, pin_memory=True),
        torch.tensor([1, 2], pin_memory=True),
        a.new_empty(3, pin_memory=True),
    ):
        assert made.is_pinned()
    assert torch.ones(3, pin_memory=True).tolist() == [1, 1, 1]
    assert not c.is_pinned()
