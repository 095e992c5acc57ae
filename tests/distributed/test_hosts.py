"""Groups across machines: network namespaces stand for them, each with one address, joined by a switch that is a namespace,
too. Nothing that is sent leaves them. Skipped where namespaces cannot be made."""

import contextlib
import datetime
import os
import re
import shutil
import subprocess
import time

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

PORT = 29511


def sh(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=20)
    if done.returncode:
        raise OSError(f"{' '.join(words)}: {done.stderr.strip()}")


class Hosts:
    """Machine i has the address 10.77.0.(i + 1); prefixes[i] begins a command that runs there."""

    def __init__(self, count):
        self.names = [f"thd-{os.getpid()}-{i}" for i in range(count)]
        self.switch = f"thd-{os.getpid()}-switch"
        self.prefixes = [["ip", "netns", "exec", name] for name in self.names]

    def make(self):
        sh("ip", "netns", "add", self.switch)
        sh("ip", "-n", self.switch, "link", "add", "switch", "type", "bridge")
        sh("ip", "-n", self.switch, "link", "set", "switch", "up")
        for i, name in enumerate(self.names):
            sh("ip", "netns", "add", name)
            sh(
                "ip",
                "-n",
                self.switch,
                "link",
                "add",
                f"port{i}",
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "netns",
                name,
            )
            sh("ip", "-n", self.switch, "link", "set", f"port{i}", "master", "switch", "up")
            sh("ip", "-n", name, "addr", "add", f"10.77.0.{i + 1}/24", "dev", "eth0")
            sh("ip", "-n", name, "link", "set", "eth0", "up")
            sh("ip", "-n", name, "link", "set", "lo", "up")

    def cut(self, i):
        """Nothing reaches machine i, or leaves it, and nobody is told."""
        sh("ip", "-n", self.switch, "link", "set", f"port{i}", "down")

    def slow(self, *how):
        for i in range(len(self.names)):
            sh("tc", "-n", self.switch, "qdisc", "add", "dev", f"port{i}", "root", "netem", *how)

    def remove(self):
        for name in [*self.names, self.switch]:
            subprocess.run(["ip", "netns", "del", name], capture_output=True, timeout=20)


@contextlib.contextmanager
def hosts(count):
    if shutil.which("ip") is None:
        pytest.skip("there is no `ip` to make namespaces with")
    made = Hosts(count)
    try:
        try:
            made.make()
        except OSError as error:
            pytest.skip(f"namespaces cannot be made here: {error}")
        yield made
    finally:
        made.remove()


def join(rank, size, timeout):
    limit = datetime.timedelta(seconds=timeout)
    os.environ["GLOO_SOCKET_IFNAME"] = "eth0"
    dist.init_process_group("gloo", init_method=f"tcp://10.77.0.1:{PORT}", rank=rank, world_size=size, timeout=limit)


def train(rank, size):
    """A step of training: gradients are averaged, and all have the same weights then."""
    join(rank, size, 20)
    torch.manual_seed(0)
    model = torch.nn.Linear(20, 3)
    step = torch.optim.SGD(model.parameters(), lr=0.1)
    data = torch.randn(size * 4, 20)
    for _ in range(5):
        step.zero_grad()
        model(data[rank::size]).square().mean().backward()
        for p in model.parameters():
            dist.all_reduce(p.grad, dist.ReduceOp.AVG)
        step.step()
    every = [torch.empty_like(model.weight) for _ in range(size)]
    dist.all_gather(every, model.weight.detach())
    assert all(torch.equal(each, every[0]) for each in every)
    big = torch.full((200_000,), float(rank))
    dist.all_reduce(big)
    assert (big == size * (size - 1) / 2).all()


@pytest.mark.parametrize("count", [2, 4])
def test_machines_train_together(count):
    with hosts(count) as made:
        ranks.run(train, count, alone=True, prefixes=made.prefixes)


def test_a_slow_network_that_loses_packets():
    with hosts(3) as made:
        try:
            made.slow("delay", "4ms", "loss", "1%")
        except OSError as error:
            pytest.skip(f"the network cannot be slowed down here: {error}")
        ranks.run(train, 3, alone=True, prefixes=made.prefixes)


def until_cut(rank, size, timeout):
    join(rank, size, timeout)
    print("begun", flush=True)
    begin = time.monotonic()
    try:
        while time.monotonic() - begin < 60:
            begin_of_step = time.monotonic()
            dist.all_reduce(torch.ones(300_000))
    except dist.DistBackendError as error:
        print(f"after {time.monotonic() - begin_of_step:.2f}s: {error}", flush=True)
        time.sleep(2)  # the store is served here
        os._exit(0)
    raise AssertionError("nobody was cut off")


@pytest.mark.parametrize("size", [2, 3])
def test_a_machine_that_is_cut_off(size):
    timeout = 3.0
    with hosts(size) as made, ranks.Ranks(until_cut, size, timeout, alone=True, prefixes=made.prefixes) as started:
        for process in started.processes:
            assert "begun" in process.stdout.readline()
        time.sleep(0.3)
        made.cut(size - 1)
        found = started.finish(limit=30)
    for rank, (status, said) in enumerate(found):
        assert status == 0, said
        seconds, text = re.search(r"after ([\d.]+)s: (.*)", said, re.DOTALL).groups()
        assert float(seconds) < timeout + 3, said
        assert f"all_reduce (SUM) of float32 [300000] on rank {rank} of {size}" in text
        if rank == size - 1:
            assert "the store does not answer either" in text, said
        else:
            assert re.findall(r"lost: rank (\d+)", text) == [str(size - 1)], said


def nobody_there(rank, size, timeout):
    begin = time.monotonic()
    with pytest.raises(
        dist.DistNetworkError, match=rf"10.77.0.9, {PORT}\) could not be reached.*{int(timeout * 1000)}ms"
    ):
        dist.TCPStore("10.77.0.9", PORT, timeout=datetime.timedelta(seconds=timeout))
    assert time.monotonic() - begin < timeout + 2


def test_an_address_that_nobody_has():
    with hosts(1) as made:
        ranks.run(nobody_there, 1, 1.5, alone=True, prefixes=made.prefixes)
