"""A torch that was built without THD: what its torch.distributed has, and that it says of names and parameters what one with
groups says."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch.distributed import _api, _unavailable

SCRIPT = """
import torch, torch.nn.parallel
import torch.distributed as dist
assert not dist.is_available() and not dist.is_initialized() and not dist.is_torchelastic_launched()
assert not any(map(dist.is_backend_available, dist.Backend.backend_list)) and not dist.is_gloo_available()
assert dist.Backend("GLOO") == "gloo" and dist.get_default_backend_for_device("cuda:1") == "nccl"
assert dist.distributed_c10d.supports_complex(dist.ReduceOp.SUM) and dist.reduce_op.MAX == dist.ReduceOp.MAX
assert dist.get_node_local_rank(3) == 3
calls = {
    "init_process_group": lambda: dist.init_process_group("gloo"),
    "register_backend": lambda: dist.Backend.register_backend("mine", print),
    "all_reduce": lambda: dist.all_reduce(torch.ones(2)),
}
for name, call in calls.items():
    try:
        call()
    except NotImplementedError as error:
        assert "without distributed support" in str(error) and name in str(error), error
    else:
        raise SystemExit(f"{name}() is there")
assert "mine" not in dist.Backend.backend_list
"""


def test_it_has_the_names_and_no_groups(tmp_path):
    """The package but for its module of groups."""
    package = tmp_path / "torch"
    package.mkdir()
    for entry in Path(torch.__file__).parent.iterdir():
        if not entry.name.startswith("_distributed"):
            (package / entry.name).symlink_to(entry)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_needs_no_group_stands_once():
    shared = set(_unavailable.__all__) - set(_unavailable._OF_A_GROUP)
    own = {name for name in shared if getattr(_unavailable, name).__module__ == _unavailable.__name__}
    assert own == {
        *("GroupMember", "P2POp", "ProcessGroup", "Work", "group"),
        *("get_global_rank", "get_pg_count", "init_process_group"),
    }
    assert all(getattr(_unavailable, name) is getattr(_api, name) for name in shared - own)


@pytest.mark.parametrize("name", [*sorted(_unavailable._OF_A_GROUP), "init_process_group", "get_global_rank"])
def test_functions_take_what_those_of_groups_take(name):
    def parameters(module):
        return [(p.name, p.kind) for p in inspect.signature(getattr(module, name)).parameters.values()]

    assert parameters(_unavailable) == parameters(_api)


def test_devices_without_a_backend():
    with pytest.raises(ValueError, match="meta"):
        torch.distributed.get_default_backend_for_device("meta")
    with pytest.raises(RuntimeError, match="nothing"):
        torch.distributed.get_default_backend_for_device("nothing")
