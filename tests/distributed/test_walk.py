"""Every public function of torch.distributed, called with what it is not for: before there is a group, in one, after it has
been left. It may return or raise an Exception of Python's; the process lives on, in time, and nothing stays."""

import importlib
import inspect
import os
import pathlib
import subprocess
import sys

import pytest
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

MODULES = ["", ".nn.functional", "._functional_collectives", ".device_mesh", ".tensor", ".algorithms.join", ".rendezvous",
           ".tensor.parallel", ".fsdp", ".optim", ".checkpoint"]  # fmt: skip
# They wait for a person, end the process or are for somebody who writes a class.
NOT_CALLED = {"breakpoint", "record_comm"}
STATES = ["before", "in", "after"]


def pool():
    """What is given, for all arguments of a call alike."""
    work = dist.all_reduce(torch.ones(1), async_op=True) if dist.is_initialized() else None
    return [
        None, -1, 5, 2**40, "x", b"\xff", [], [None], [torch.ones(1)], {}, object(), torch.ones(2), torch.ones(2).expand(3, 2),
        torch.empty(0), torch.ones(1).to_sparse(), torch.empty(2, device="meta"), float("nan"), dist.ReduceOp.MAX, work,
        dist.group.WORLD, dist.GroupMember.NON_GROUP_MEMBER, dist.HashStore(), ("cpu",), [[0]], lambda *_: None,
    ]  # fmt: skip


def functions():
    """[(name, function)]"""
    found = {}
    for name in MODULES:
        module = importlib.import_module("torch.distributed" + name)
        for word in getattr(module, "__all__", dir(module)):
            thing = getattr(module, word, None)
            its = getattr(thing, "__module__", "") or ""
            if (
                word not in NOT_CALLED
                and not word.startswith("_")
                and callable(thing)
                and its.startswith("torch.distr")
            ):
                found[f"torch.distributed{name}.{word}"] = thing
    return sorted(found.items())


def methods():
    """[(name, bound method)] of a store of each kind, a group, a Work."""
    things = {"HashStore()": dist.HashStore(), "PrefixStore()": dist.PrefixStore("p", dist.HashStore())}
    things["TCPStore()"] = dist.TCPStore("127.0.0.1", 0, 1, True)
    for store in things.values():
        store.set_timeout(SOON)
    makers = {name: lambda thing=thing: thing for name, thing in things.items()}
    if dist.is_initialized():  # those of the group that there is when they are called
        makers |= {"WORLD": lambda: dist.group.WORLD, "Work": lambda: dist.all_reduce(torch.ones(1), async_op=True)}
    return [
        (f"{name}.{word}", lambda *args, maker=maker, word=word: getattr(maker(), word)(*args))
        for name, maker in makers.items()
        for word in dir(maker())
        if not word.startswith("_") and word not in ("set_timeout", "shutdown") and callable(getattr(maker(), word))
    ]


def begin():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1, timeout=SOON)


def walk(state):
    """Calls them all, and prints each before it does: the last one is to blame for what happens."""
    if state != "before":
        begin()
    if state == "after":
        dist.destroy_process_group()
    calls = functions() + methods()
    print(len(calls), "functions")
    for name, function in calls:
        for which in range(len(pool())):
            for count in (0, 1, 2, 3) if which == 0 else (1, 2, 3):
                if dist.is_initialized() != (state == "in"):  # a call may begin or end it
                    dist.destroy_process_group() if state != "in" else begin()
                print(f"{name} {which} × {count}", file=sys.stderr)
                try:
                    made = function(*[pool()[which]] * count)
                    if inspect.iscoroutine(made):
                        made.close()
                except Exception as failure:
                    if isinstance(failure, SystemError):
                        raise
                    if isinstance(failure, dist.DistBackendError) and dist.is_initialized():
                        dist.destroy_process_group()  # what has waited in vain has spoilt it
    if state == "in":
        if dist.is_initialized():
            dist.destroy_process_group()
        begin()
        t = torch.ones(2)
        dist.all_reduce(t)
        assert t.tolist() == [1, 1]
        dist.destroy_process_group()


@pytest.mark.parametrize("state", STATES)
def test_no_call_ends_the_process(state, tmp_path):
    path = os.pathsep.join(filter(None, [str(pathlib.Path(__file__).parent), *sys.path]))
    run = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, state],
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        cwd=tmp_path, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
    assert int(run.stdout.split()[0]) > 150


if __name__ == "__main__":
    import datetime

    SOON = datetime.timedelta(milliseconds=10)
    for variable in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        os.environ.pop(variable, None)
    walk(sys.argv[1])
