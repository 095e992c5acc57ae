"""Collectives of NCCL on two devices, and what they refuse. On one device a rank is alone."""

import subprocess
import sys
import threading

import pytest
import torch
from torch.cuda import nccl

pytestmark = pytest.mark.skipif(not nccl._is_compiled(), reason="needs a build with NCCL")
DTYPES = [dtype for dtype in nccl._NUMBERS if dtype is not torch.bool]


def pair(*values, dtype=torch.float32):
    """A tensor on each of the first devices."""
    return [torch.tensor(value, dtype=dtype).cuda(i) for i, value in enumerate(values)]


def lists(tensors):
    return [tensor.tolist() for tensor in tensors]


def test_the_version():
    major, minor, patch = nccl.version()[:3]
    assert (major, minor) >= (2, 0) and patch >= 0
    first, other = nccl.unique_id(), nccl.unique_id()
    assert isinstance(first, bytes) and len(first) == 128 and first != other


def test_alone():
    x = torch.arange(4.0, device="cuda")
    nccl.all_reduce([x])
    out = torch.empty_like(x)
    nccl.reduce_scatter([x], [out])
    nccl.all_gather((x,), (out,))
    nccl.broadcast([x])
    nccl.reduce([x], out)
    assert x.tolist() == out.tolist() == [0, 1, 2, 3]
    assert nccl.is_available([x]) and not nccl.is_available([x.cpu()]) and not nccl.is_available([x, x])
    assert not nccl.is_available([x[::2]])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_all_reduce(second, dtype):
    x = pair([1, 2, 3], [10, 20, 30], dtype=dtype)
    out = [torch.zeros_like(t) for t in x]
    nccl.all_reduce(x, out)
    assert lists(out) == [[11, 22, 33]] * 2 and lists(x) == [[1, 2, 3], [10, 20, 30]]
    assert nccl.all_reduce(x) is None
    assert lists(x) == [[11, 22, 33]] * 2


def test_operations(second):
    wanted = {0: [4, -12], 1: [3, 27], 2: [3, -3], 3: [1, -9], 4: [2, -6]}
    for op, result in wanted.items():
        x = pair([1, -3], [3, -9])
        nccl.all_reduce(x, op=op)
        assert lists(x) == [result] * 2
    for op, result in {0: [True, True, False], 1: [True, False, False], 2: [True, True, False]}.items():
        x = pair([True, True, False], [True, False, False], dtype=torch.bool)
        nccl.all_reduce(x, op=op)
        assert lists(x) == [result] * 2 and x[0].view(torch.uint8).max() == 1
    with pytest.raises(RuntimeError, match="no operation 5"):
        nccl.all_reduce(x, op=5)
    with pytest.raises(RuntimeError, match=r"mean, is not for torch\.bool"):
        nccl.all_reduce(x, op=4)


def test_reduce(second):
    x = pair([1.0, 2.0], [10.0, 20.0])
    out = torch.zeros(2, device=second)
    nccl.reduce(x, out, root=1)
    assert out.tolist() == [11, 22] and lists(x) == [[1, 2], [10, 20]]
    nccl.reduce(x, root=0, op=2)
    assert lists(x) == [[10, 20], [10, 20]]
    with pytest.warns(FutureWarning, match="deprecated"):
        nccl.reduce(x, outputs=[None, out], root=1)
    assert out.tolist() == [20, 40]
    with pytest.warns(FutureWarning, match="deprecated"):
        nccl.reduce(x, [None, out], root=1, op=1)
    assert out.tolist() == [100, 400]
    with pytest.raises(ValueError, match="can not be both specified"):
        nccl.reduce(x, out, outputs=[out, out])


def test_broadcast(second):
    x = pair([1, 2], [3, 4], dtype=torch.int64)
    nccl.broadcast(x, root=1)
    assert lists(x) == [[3, 4]] * 2
    bits = [torch.tensor([0.5, 2.0]).to(torch.float8_e5m2).cuda(0), torch.zeros(2).to(torch.float8_e5m2).cuda(1)]
    nccl.broadcast(bits)
    assert bits[1].cpu().to(torch.float32).tolist() == [0.5, 2.0]


def test_gather_and_scatter(second):
    x = pair([[1, 2]], [[10, 20]])
    out = [torch.zeros(2, 2, device=t.device) for t in x]
    nccl.all_gather(x, out)
    assert lists(out) == [[[1, 2], [10, 20]]] * 2
    parts = [torch.zeros(2, device=t.device) for t in x]
    nccl.reduce_scatter(out, parts)
    assert lists(parts) == [[2, 4], [20, 40]]
    nccl.reduce_scatter(out, parts, op=4)
    assert lists(parts) == [[1, 2], [10, 20]]


def test_empty_ones(second):
    x = [torch.empty(0, 3, device=f"cuda:{i}") for i in range(2)]
    nccl.all_reduce(x)
    nccl.all_gather(x, x)
    assert lists(x) == [[], []]


def test_streams(second):
    x, streams = pair([1.0], [2.0]), [torch.cuda.Stream(0), torch.cuda.Stream(1)]
    for tensor, stream in zip(x, streams, strict=True):
        stream.wait_stream(torch.cuda.current_stream(tensor.device))
        with torch.cuda.stream(stream):
            tensor.mul_(10)
    nccl.all_reduce(x, streams=streams)
    for stream in streams:
        torch.cuda.current_stream(stream.device).wait_stream(stream)
    assert lists(x) == [[30], [30]]
    # Without `streams`, the current ones: of both devices, whichever is current.
    with torch.cuda.stream(streams[1]), torch.cuda.stream(streams[0]):
        nccl.all_reduce(x, streams=[None, streams[1]])
        assert torch.cuda.current_device() == 0
    for stream in streams:
        stream.synchronize()
    assert lists(x) == [[60], [60]]


def test_memory_stays_until_the_stream_is_done(second):
    stream = torch.cuda.Stream(0)
    x = pair([1.0] * 1000, [2.0] * 1000)
    for device in (0, 1):
        torch.cuda.synchronize(device)
    nccl.all_reduce(x, streams=[stream, None])
    address = x[0].data_ptr()
    del x
    again = torch.empty(1000, device="cuda:0")
    assert again.data_ptr() != address or stream.query()


def test_memory_of_a_view_stays_until_the_stream_is_done():
    def awaiting():  # bytes that have been freed and wait for a stream
        stats = torch.cuda.memory_stats()
        return stats["active_bytes.all.current"] - stats["allocated_bytes.all.current"]

    nbytes, stream = 64 << 20, torch.cuda.Stream()
    x = torch.ones(nbytes // 4, device="cuda")
    nccl.all_reduce([x[:1]])  # what NCCL allocates for itself is there
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    before = awaiting()
    nccl.all_reduce([x[1:]], streams=[stream])
    del x
    assert awaiting() == before + nbytes
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    assert awaiting() == before


def test_a_communicator_for_each_thread(second):
    uid, results = nccl.unique_id(), [None, None]

    def rank(i):
        with torch.cuda.device(i):
            comm = nccl.init_rank(2, uid, i)
            x = torch.full((2,), float(i + 1), device="cuda")
            nccl.all_reduce([x], comms=comm)
            gathered = torch.zeros(4, device="cuda")
            nccl.all_gather([x + i], [gathered], comms=[comm])
            nccl.reduce([x], root=1, comms=[comm])
            results[i] = (x.tolist(), gathered.tolist())

    threads = [threading.Thread(target=rank, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [([3, 3], [3, 3, 4, 4]), ([6, 6], [3, 3, 4, 4])]


def test_communicators_are_kept_and_dropped(second):
    x = pair([1.0], [1.0])
    for _ in range(10):  # more lists of devices than are kept
        nccl.all_reduce(x)
        nccl.all_reduce(x[::-1])
        nccl.all_reduce(x[:1])
    assert lists(x) == [[2.0**20]] * 2


def test_wrong_communicators(second):
    x = pair([1.0], [2.0])
    comm = nccl.init_rank(1, nccl.unique_id(), 0)
    assert torch.cuda.current_device() == 0
    nccl.all_reduce(x[:1], comms=[comm])
    for comms, text in (
        ([comm], "number of communicators is not equal to number of inputs: 1 and 2"),
        ([comm] * 3, "number of communicators is not equal"),
    ):
        with pytest.raises(RuntimeError, match=text):
            nccl.all_reduce(x, comms=comms)
    with pytest.raises(RuntimeError, match="communicator 0 is of cuda:0, and the tensors are on cuda:1"):
        nccl.all_reduce(x[1:], comms=[comm])
    with pytest.raises(ValueError, match="PyCapsule"):
        nccl.all_reduce(x[:1], comms=[3])
    with pytest.raises(RuntimeError, match=r"invalid unique_id \(expected 128 bytes, got 3\)"):
        nccl.init_rank(2, b"abc", 0)
    with pytest.raises(RuntimeError, match=r"NCCL Error 4: invalid argument .*\(ncclCommInitRank"):
        nccl.init_rank(2, nccl.unique_id(), 2)
    assert lists(x) == [[1.0], [2.0]]


def test_what_is_refused(second):
    a, b = pair([1.0, 2.0], [3.0, 4.0])
    wrong = [
        (lambda: nccl.all_reduce(a), TypeError, "should be a collection of tensors"),
        (lambda: nccl.all_reduce([a, 3]), TypeError, r"expected Tensor at 1 \(got int\)"),
        (lambda: nccl.all_reduce([]), RuntimeError, "input sequence can't be empty"),
        (lambda: nccl.all_reduce([a, b], [a]), RuntimeError, "input of length 2 and output of length 1"),
        (lambda: nccl.all_reduce([a, b.cpu()]), RuntimeError, "have to be cuda dense Tensors, got one on cpu"),
        (
            lambda: nccl.all_reduce([a, b.double()]),
            RuntimeError,
            "same Tensor dtype, got torch.float32 and torch.float64",
        ),
        (lambda: nccl.all_reduce([a, b[:1]]), RuntimeError, "same number of elements, got 2 and 1"),
        (lambda: nccl.all_reduce([a, b.expand(2, 2).t()]), RuntimeError, "have to be contiguous, got shape"),
        (lambda: nccl.all_reduce([a, a]), RuntimeError, "inputs must be on unique devices, got cuda:0 twice"),
        (lambda: nccl.all_reduce([a, b], [b, a]), RuntimeError, "input and output must be on the same device"),
        (lambda: nccl.all_gather([a, b], [a, b]), RuntimeError, "output must be of size input_size"),
        (lambda: nccl.reduce_scatter([a, b], [a, b]), RuntimeError, "output must be of size input_size"),
        (lambda: nccl.broadcast([a, b], root=2), RuntimeError, "invalid root 2 of 2"),
        (lambda: nccl.reduce([a, b], root=-1), RuntimeError, "invalid root -1"),
        (lambda: nccl.reduce([a, b], 3), TypeError, "expected Tensor, got int"),
        (lambda: nccl.all_reduce([a, b], streams=[None]), RuntimeError, "number of streams is not equal .*: 1 and 2"),
        (lambda: nccl.all_reduce([a, b], streams=[None, 3]), TypeError, "expected torch.cuda.Stream or None"),
        (lambda: nccl.all_reduce([a, b], streams=[None, torch.cuda.Stream(0)]), RuntimeError, "a stream of cuda:0"),
        (lambda: nccl.all_reduce([a.short(), b.short()]), RuntimeError, "Unconvertible NCCL type torch.int16"),
        (
            lambda: nccl.all_reduce([a.to(torch.complex64), b.to(torch.complex64)]),
            RuntimeError,
            "Unconvertible NCCL type torch.complex64",
        ),
        (
            lambda: nccl.all_reduce([t.cpu().to(torch.float8_e5m2).to(t.device) for t in (a, b)]),
            RuntimeError,
            "Unconvertible NCCL type torch.float8_e5m2",
        ),
    ]
    for call, error, text in wrong:
        with pytest.raises(error, match=text):
            call()
    assert torch.cuda.current_device() == 0 and lists([a, b]) == [[1, 2], [3, 4]]
    nccl.all_reduce([a, b])
    assert lists([a, b]) == [[4, 6]] * 2


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_it_is_loaded_at_the_first_use():
    assert run(
        "import torch\n"
        "loaded = lambda: 'libnccl' in open('/proc/self/maps').read()\n"
        "x = torch.ones(2, device='cuda'); print(loaded(), torch.cuda.nccl.is_available([x]), loaded())\n"
        "torch.cuda.nccl.all_reduce([x]); print(loaded())"
    ) == ["False", "True", "False", "True"]


def test_at_the_end_and_in_a_fork():
    assert run(
        "import os, sys, torch, warnings; warnings.simplefilter('ignore')\n"
        "x = [torch.ones(2, device=f'cuda:{i}') for i in range(torch.cuda.device_count())]\n"
        "torch.cuda.nccl.all_reduce(x)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try: torch.cuda.nccl.all_reduce(x)\n"
        "    except RuntimeError as error: print('forked subprocess' in str(error))\n"
        "    sys.exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), x[0][0].item() == len(x))"
    ) == ["True", "7", "True"]
