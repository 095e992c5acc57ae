"""What does not fit together, is not there or is somebody else's: an error with its values, in time, and nothing left."""

import datetime
import http.server
import os
import socket
import threading
import time

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

SOON = datetime.timedelta(milliseconds=400)


def held():
    return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No thread, descriptor or group stays, and nothing takes long."""
    before = held()
    begin = time.monotonic()
    yield
    assert time.monotonic() - begin < 20
    assert not dist.is_initialized()
    for _ in range(40):
        if all(now <= then for now, then in zip(held(), before)):
            return
        time.sleep(0.05)
    raise AssertionError(f"descriptors and threads: {before} before, {held()} now")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        ({"init_method": "tcp://127.0.0.1:29512?rank=2&world_size=2"}, ValueError, "0 to world_size - 1, not 2 of 2"),
        ({"init_method": "tcp://127.0.0.1:29512?rank=-3&world_size=2"}, ValueError, "not -3 of 2"),
        ({"init_method": "tcp://127.0.0.1:29512?rank=0&world_size=0"}, ValueError, "not 0 of 0"),
        ({"init_method": "file:///tmp/never?rank=3&world_size=2"}, ValueError, "not 3 of 2"),
        ({"init_method": "tcp://127.0.0.1:29512", "rank": 0}, ValueError, "lacks world_size"),
        ({"init_method": "tcp://127.0.0.1:29512", "world_size": 1}, ValueError, "lacks rank"),
        ({"init_method": "tcp://127.0.0.1", "rank": 0, "world_size": 1}, ValueError, "lacks a port"),
        ({"init_method": "tcp://127.0.0.1:29512?rank=x&world_size=1"}, ValueError, "no number: 'x'"),
        ({"init_method": "carrier://pigeon", "rank": 0, "world_size": 1}, RuntimeError, "No rendezvous handler"),
        ({"init_method": 5}, RuntimeError, "not 5"),
        ({"backend": "pigeon"}, ValueError, "Invalid backend: 'pigeon'"),
        ({"timeout": 5}, TypeError, "timedelta, not 5"),
        ({"timeout": datetime.timedelta(0)}, ValueError, "timeout must be"),
    ],
)
def test_what_contradicts_itself(given, kind, text, monkeypatch, tmp_path):
    for name, value in {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(free_port()),
        "RANK": "0",
        "WORLD_SIZE": "1",
    }.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(kind, match=text):
        dist.init_process_group(**{"backend": "gloo"} | given)
    assert not os.path.exists("/tmp/never")


def test_an_address_in_use():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(dist.DistNetworkError, match=rf"127.0.0.1, {port}.*EADDRINUSE"):
            dist.TCPStore("127.0.0.1", port, is_master=True, timeout=SOON)
        url = f"tcp://127.0.0.1:{port}"
        with pytest.raises(dist.DistNetworkError, match="EADDRINUSE"):
            dist.init_process_group("gloo", init_method=url, rank=0, world_size=1, timeout=SOON)


def test_nobody_answers():
    port = free_port()
    with pytest.raises(dist.DistNetworkError, match=rf"127.0.0.1, {port}\) could not be reached.*400ms"):
        dist.TCPStore("127.0.0.1", port, timeout=SOON)
    with pytest.raises(dist.DistNetworkError, match="no.such.host.invalid"):
        dist.TCPStore("no.such.host.invalid", port, timeout=SOON)


@pytest.mark.parametrize("say", [b"HTTP/1.0 400 Bad Request\r\n\r\n", b"", b"220 mail\r\n", b"\0" * 5000, None])
def test_something_else_answers(say):
    """None: it never says a word."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        over = threading.Event()

        def serve():
            with other.accept()[0] as connection:
                if say is None:
                    over.wait(10)
                else:
                    connection.sendall(say)

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(dist.DistNetworkError, match="the store at .127.0.0.1"):
            dist.TCPStore("127.0.0.1", other.getsockname()[1], timeout=SOON)
        over.set()
        thread.join()


def test_a_web_server_answers():
    class Quiet(http.server.BaseHTTPRequestHandler):
        timeout = 1

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        with pytest.raises(dist.DistNetworkError, match="the store at .127.0.0.1"):
            dist.TCPStore("127.0.0.1", server.server_port, timeout=SOON)
        server.shutdown()
        thread.join()


def test_a_world_that_never_comes_together(tmp_path):
    store = dist.FileStore(str(tmp_path / "store"), -1)
    with pytest.raises(dist.DistStoreError, match=r"ranks that have come: 1; missing: 0, 2"):
        dist.init_process_group("gloo", store=store, rank=1, world_size=3, timeout=SOON)
    with pytest.raises(dist.DistStoreError, match="1 of 4 workers have come within 400ms"):
        dist.TCPStore("127.0.0.1", 0, 4, is_master=True, timeout=SOON)


def in_detail():
    """With TORCH_DISTRIBUTED_DEBUG=DETAIL all that differs is named."""
    rank = dist.get_rank()
    wants = [
        (lambda: dist.all_reduce(torch.ones(3 + rank)), r"float32 \[3\] \(rank 0\); .*float32 \[4\] \(rank 1\)"),
        (lambda: dist.all_reduce(torch.ones(3).to([torch.float32, torch.int32][rank])), "float32.*int32"),
        (lambda: dist.broadcast(torch.ones(3), rank), r"root 0 \(rank 0\); .*root 1 \(rank 1\)"),
        (lambda: dist.barrier() if rank else dist.all_reduce(torch.ones(1)), r"all_reduce.*barrier \(rank 1\)"),
        (lambda: dist.all_reduce(torch.ones(1), [dist.ReduceOp.SUM, dist.ReduceOp.MAX][rank]), "SUM.*MAX"),
    ]
    for want, text in wants:
        pair = dist.new_group(timeout=datetime.timedelta(seconds=5))
        whole = dist.group.WORLD
        dist.group.WORLD = pair
        try:
            with pytest.raises(dist.DistBackendError, match=text):
                want()
        finally:
            dist.group.WORLD = whole
        dist.destroy_process_group(pair)


def test_what_differs_is_named():
    ranks.run(in_detail, 2, environment={"TORCH_DISTRIBUTED_DEBUG": "DETAIL"})


def no_member():
    """A group that a rank is not in."""
    alone = dist.new_group([0])
    t = torch.ones(1)
    if dist.get_rank():
        assert alone == dist.GroupMember.NON_GROUP_MEMBER
        for call in (
            dist.all_reduce,
            lambda t, group: dist.broadcast(t, 0, group),
            lambda t, group: dist.barrier(group),
        ):
            with pytest.warns(UserWarning, match="rank 1 is not in the group"):
                assert call(t, group=alone) is None
    else:
        dist.all_reduce(t, group=alone)
        with pytest.raises(ValueError, match="rank 1 of the default group is not in"):
            dist.broadcast(t, 1, alone)
    for bad in ([], [0, 0], [5], [-1]):
        if bad:
            with pytest.raises(ValueError, match="ranks of"):
                dist.new_group(bad)


def test_a_group_that_a_rank_is_not_in():
    ranks.run(no_member, 2)


class OwnStore(dist.Store):
    """A store whose functions Python has; some of them."""

    def __init__(self):
        super().__init__()
        self.kept = {}

    def set(self, key, value):
        self.kept[key] = value

    def get(self, key):
        return self.kept[key]

    def check(self, keys):
        return all(key in self.kept for key in keys)

    def compare_set(self, key, expected, desired):
        self.kept.setdefault(key, desired)
        return self.kept[key]


def test_a_store_of_ones_own():
    store = OwnStore()
    prefixed = dist.PrefixStore("p", store)
    prefixed.set("key", b"\x00value")
    assert prefixed.get("key") == b"\x00value" and store.kept == {"p/key": b"\x00value"}
    assert prefixed.check(["key"]) and not prefixed.check(["other"])
    assert prefixed.compare_set("new", "", "x") == b"x"
    with pytest.raises(KeyError, match="p/none"):
        prefixed.get("none")
    for call in (lambda: prefixed.add("n", 1), lambda: dist.Store().set("a", "b"), lambda: dist.Store().get("a")):
        with pytest.raises(RuntimeError, match="class does not define"):
            call()


@pytest.mark.parametrize("wrong", ["x", 5, [], object(), dist.ReduceOp.SUM, torch.ones(1)])
def test_what_is_no_group_or_reduction(wrong):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        t = torch.ones(1)
        for call in (
            dist.all_reduce,
            lambda t, group: dist.broadcast(t, 0, group),
            lambda _, group: dist.barrier(group),
        ):
            with pytest.raises(ValueError, match="a process group, or None"):
                call(t, group=wrong)
        for call in (dist.get_world_size, dist.get_rank, dist.get_process_group_ranks, dist.destroy_process_group):
            with pytest.raises(ValueError, match="group"):
                call(wrong)
        if wrong is not dist.ReduceOp.SUM:
            with pytest.raises(TypeError, match="a reduction is one of"):
                dist.all_reduce(t, wrong)
        with pytest.raises(TypeError, match="lacks its factor"):
            dist.all_reduce(t, dist.ReduceOp.PREMUL_SUM)
        assert t.item() == 1
    finally:
        dist.destroy_process_group()
