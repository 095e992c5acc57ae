"""torch.cuda.comm: from one device to several and back, with NCCL and by copies."""

import pytest
import torch
from torch.cuda import comm, nccl

pytestmark = pytest.mark.usefixtures("second")


@pytest.fixture(params=["nccl", "copies"], autouse=True)
def way(request, monkeypatch):
    """How tensors go from device to device."""
    if request.param == "copies":
        monkeypatch.setattr(nccl, "_is_compiled", lambda: False)
    elif not nccl._is_compiled():
        pytest.skip("needs a build with NCCL")


def places(tensors):
    return [tensor.get_device() for tensor in tensors]


@pytest.mark.parametrize("source", ["cpu", "cuda:0", "cuda:1"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.int16, torch.bool], ids=str)
def test_broadcast(source, dtype):
    x = torch.arange(6).reshape(2, 3).to(dtype).to(source)
    copies = comm.broadcast(x, (0, "cuda:1"))
    assert isinstance(copies, tuple) and places(copies) == [0, 1]
    assert all(copy.cpu().equal(x.cpu()) and copy.dtype == dtype for copy in copies)
    assert [copy is x for copy in copies] == [source == "cuda:0", source == "cuda:1"]
    out = [torch.zeros(2, 3, dtype=dtype, device=f"cuda:{i}") for i in range(2)]
    assert all(a is b for a, b in zip(comm.broadcast(x, out=out), out, strict=True))
    assert all(t.cpu().equal(x.cpu()) for t in out)


def test_broadcast_of_views():
    x = torch.arange(6.0, device="cuda").reshape(2, 3).t()
    copies = comm.broadcast(x, [0, 1])
    assert copies[0] is x and copies[1].cpu().equal(x.cpu())
    real = comm.broadcast(torch.tensor([1 + 2j]), [1])[0]
    assert real.tolist() == [[1, 2]]


def test_broadcast_refuses():
    x = torch.ones(2)
    out = [x.cuda(0), x.cuda(1)]
    for call, error, text in (
        (lambda: comm.broadcast(x), RuntimeError, "Exactly one of 'devices' and 'out'"),
        (lambda: comm.broadcast(x, [0], out=out), RuntimeError, "Exactly one of 'devices' and 'out'"),
        (lambda: comm.broadcast(x, out=[out[0], x]), RuntimeError, "CUDA tensors, but output tensor at index 1"),
        (lambda: comm.broadcast(x, out=[out[0], out[1][:1]]), RuntimeError, "same shape as the source .+ at index 1"),
        (lambda: comm.broadcast(x, ["cpu"]), ValueError, "Expected a cuda device"),
        (lambda: comm.broadcast(x, ["cuda"]), ValueError, "with an index"),
        (lambda: comm.broadcast(x, [-1]), RuntimeError, "non-negative device index, but got -1"),
        (lambda: comm.broadcast(x, [99]), RuntimeError, "invalid device ordinal"),
        (lambda: comm.broadcast(3, [0]), TypeError, "expected Tensor, got int"),
    ):
        with pytest.raises(error, match=text):
            call()


@pytest.mark.parametrize("buffer_size", [1, 40, 10485760])
def test_coalesced(buffer_size):
    given = [torch.arange(3.0), torch.arange(4), torch.arange(8.0).reshape(2, 4), torch.empty(0), torch.tensor(7)]
    tensors = [t.cuda() for t in given]
    copies = comm.broadcast_coalesced(tensors, [0, 1], buffer_size)
    assert [places(c) for c in copies] == [[0] * 5, [1] * 5]
    assert all(a is b for a, b in zip(copies[0], tensors, strict=True))
    assert all(a.cpu().equal(b) and a.dtype == b.dtype for a, b in zip(copies[1], given, strict=True))
    sums = comm.reduce_add_coalesced(copies, 1, buffer_size)
    before = [[t._version for t in made] for made in (copies[1], sums)]
    copies[1][0].zero_(), sums[0].zero_()  # each has a version of its own
    after = [[t._version for t in made] for made in (copies[1], sums)]
    assert [[b - a for a, b in zip(*both, strict=True)] for both in zip(before, after, strict=True)] == [
        [1, 0, 0, 0, 0]
    ] * 2
    copies[1][0].copy_(given[0]), sums[0].copy_(2 * given[0])
    assert places(sums) == [1] * 5
    assert all(a.cpu().equal(2 * b) and a.dtype == b.dtype for a, b in zip(sums, given, strict=True))
    with pytest.raises(RuntimeError, match=r"must be on devices\[0\], got tensor 1 on cuda:1"):
        comm.broadcast_coalesced([tensors[0], tensors[0].cuda(1)], [0, 1])
    with pytest.raises(RuntimeError, match=r"must be on devices\[0\], got tensor 0 on cpu"):
        comm.broadcast_coalesced(given, [0, 1])
    with pytest.raises(ValueError, match="as many tensors of each device, got 2, 1"):
        comm.reduce_add_coalesced([tensors[:2], tensors[:1]])


@pytest.mark.parametrize("dtype", [torch.float32, torch.int16, torch.float16], ids=str)
def test_reduce_add(dtype):
    x = [torch.arange(6).reshape(2, 3).to(dtype).cuda(i) for i in range(2)]
    for destination in (0, "cuda:1", torch.device("cuda", 0), None):
        total = comm.reduce_add(x, destination)
        assert total.get_device() == (1 if destination == "cuda:1" else 0) and total.dtype == dtype
        assert total.tolist() == [[0, 2, 4], [6, 8, 10]]
    three = comm.reduce_add([*x, x[0]])
    assert three.tolist() == [[0, 3, 6], [9, 12, 15]]
    assert comm.reduce_add(x[1:], 1) is x[1]
    assert [t.tolist() for t in x] == [[[0, 1, 2], [3, 4, 5]]] * 2


def test_reduce_add_refuses():
    x = torch.ones(2, 3)
    for call, error, text in (
        (lambda: comm.reduce_add([x.cuda(0), x]), AssertionError, "input 1 is on CPU"),
        (lambda: comm.reduce_add([x.cuda(0), x.cuda(1)[:1]]), ValueError, "input 1 has invalid size: got 1x3, .* 2x3"),
        (lambda: comm.reduce_add([x.cuda(1)], 0), RuntimeError, "destination to be on the same GPU"),
        (lambda: comm.reduce_add([]), IndexError, "at least one"),
    ):
        with pytest.raises(error, match=text):
            call()


@pytest.mark.parametrize("source", ["cpu", "cuda:0", "cuda:1"])
@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("sizes", [None, [3, 1]])
def test_scatter_and_gather(source, dim, sizes):
    x = torch.arange(16.0).reshape(4, 4).to(source)
    parts = comm.scatter(x, (0, 1), sizes, dim)
    assert isinstance(parts, tuple) and places(parts) == [0, 1]
    wanted = x.cpu().split(sizes or [2, 2], dim)
    assert all(part.cpu().equal(want) for part, want in zip(parts, wanted, strict=True))
    out = [torch.zeros_like(part) for part in parts]
    assert all(a is b for a, b in zip(comm.scatter(x, dim=dim, out=out), out, strict=True))
    assert all(part.cpu().equal(want) for part, want in zip(out, wanted, strict=True))
    for destination in (None, 0, "cuda:1", "cpu"):
        whole = comm.gather(parts, dim, destination)
        assert str(whole.device) == {None: "cuda:0", 0: "cuda:0"}.get(destination, destination)
        assert whole.cpu().equal(x.cpu())
    for place in ("cpu", "cuda:1"):
        whole = torch.zeros(4, 4, device=place)
        assert comm.gather(parts, dim, out=whole) is whole and whole.cpu().equal(x.cpu())
    with pytest.warns(FutureWarning, match="-1"):
        assert comm.gather(parts, dim, -1).device.type == "cpu"


def test_scatter_in_streams():
    streams = [torch.cuda.Stream(0), torch.cuda.Stream(1)]
    x = torch.arange(4.0).pin_memory()
    parts = comm.scatter(x, [0, 1], streams=streams)
    for stream in streams:
        stream.synchronize()
    assert [part.tolist() for part in parts] == [[0, 1], [2, 3]]
    assert torch.cuda.current_stream().cuda_stream == 0 and torch.cuda.current_device() == 0
    parts = comm.scatter(x, [0, 1], streams=[None, streams[1]])
    streams[1].synchronize()
    assert parts[1].tolist() == [2, 3]
    with pytest.raises(RuntimeError, match=r"stream at index 0 \(was 1\) to match"):
        comm.scatter(x, [0, 1], streams=streams[::-1])
    with pytest.raises(TypeError, match="streams"):
        comm.scatter(x, [0, 1], streams=[3, None])


def test_fewer_chunks_than_devices():
    assert len(comm.scatter(torch.ones(1), [0, 1])) == 1
    picture = torch.arange(16.0).reshape(2, 2, 2, 2).to(memory_format=torch.channels_last)
    whole = comm.gather(comm.scatter(picture, [0, 1]))
    assert whole.is_contiguous(memory_format=torch.channels_last) and whole.cpu().equal(picture)


def test_scatter_and_gather_refuse():
    x, on = torch.ones(4, 4), [torch.ones(2, 4, device=f"cuda:{i}") for i in range(2)]
    for call, error, text in (
        (lambda: comm.scatter(x, (0, 1), [1, 2, 1]), RuntimeError, "devices and chunk_sizes to be of same length"),
        (lambda: comm.scatter(x, (0, 1), [1, 2]), RuntimeError, "sum"),
        (lambda: comm.scatter(x, ()), RuntimeError, "Expected at least one device to scatter to"),
        (lambda: comm.scatter(x), TypeError, "devices"),
        (lambda: comm.scatter(x, (0, 1), out=on), RuntimeError, "'devices' must not be specified"),
        (lambda: comm.scatter(x, chunk_sizes=[2, 2], out=on), RuntimeError, "'chunk_sizes' must not be specified"),
        (lambda: comm.scatter(x, out=[]), RuntimeError, "Expected at least one output tensor to scatter to"),
        (lambda: comm.scatter(x, out=[on[0].cpu(), on[1]]), RuntimeError, "but output tensor at index 0"),
        (
            lambda: comm.scatter(x, out=[on[0][None], on[1]]),
            RuntimeError,
            "Output tensor at index 0 has incorrect shape",
        ),
        (
            lambda: comm.scatter(x, out=on[:1]),
            RuntimeError,
            "Total size for output tensors along scatter dim 0 does not",
        ),
        (lambda: comm.scatter(x, out=on, dim=2), IndexError, "Dimension out of range"),
        (lambda: comm.gather(on, destination="cpu", out=x), RuntimeError, "'destination' must not be specified"),
        (lambda: comm.gather(()), RuntimeError, "Expected at least one tensor to gather from"),
        (lambda: comm.gather([x, on[1]]), RuntimeError, "Expected all input tensors to be CUDA tensors, "),
        (lambda: comm.gather([on[0], on[1][None]]), RuntimeError, "to have the same number of dimensions"),
        (lambda: comm.gather([on[0], on[1][:, 1:]]), RuntimeError, "Input tensor at index 1 has invalid shape"),
        (
            lambda: comm.gather(on, out=x[:3]),
            RuntimeError,
            r"Expected out tensor to have shape \[4, 4\], but got \[3, 4\]",
        ),
        (lambda: comm.gather(on, dim=-3), IndexError, "Dimension out of range"),
    ):
        with pytest.raises(error, match=text):
            call()
    assert [t.sum().item() for t in on] == [8, 8]
