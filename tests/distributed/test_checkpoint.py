"""Checkpoints: of PyTorch 2.13, of other numbers of ranks, of disks that are full."""

import os
import pathlib
import pickle

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

GOLDEN = pathlib.Path(__file__).parent / "data" / "checkpoint-2.13"


def nested(fill=None):
    """What the golden checkpoint has; other values with `fill`."""

    def of(tensor):
        return tensor if fill is None else torch.full_like(tensor, fill)

    return {
        "sharded": of(torch.arange(15.0).reshape(5, 3)),
        "nested": {
            "half": of(torch.arange(4).bfloat16()),
            "list": [
                1 if fill is None else None,
                of(torch.tensor([True, False])),
                {"text": "x" if fill is None else ""},
            ],
        },
        "scalar": of(torch.tensor(2.5, dtype=torch.float64)),
        "empty": torch.empty(0, 3),
        "step": 7 if fill is None else 0,
        "plain": [1, (2, "three")] if fill is None else None,
    }


def same(a, b):
    if isinstance(a, torch.Tensor):
        return torch.equal(a, b) and a.dtype == b.dtype
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return a == b


def test_files_of_another_torch():
    import torch.distributed.checkpoint as dcp

    state = nested(0)
    kept = state["nested"]["half"]
    dcp.load(state, checkpoint_id=GOLDEN)
    assert same(state, nested()) and state["nested"]["half"] is kept


def test_between_formats(tmp_path):
    from torch.distributed.checkpoint.format_utils import dcp_to_torch_save, torch_save_to_dcp

    dcp_to_torch_save(GOLDEN, tmp_path / "one.pt")
    assert same(torch.load(tmp_path / "one.pt"), nested())
    torch_save_to_dcp(tmp_path / "one.pt", tmp_path / "many")
    dcp_to_torch_save(tmp_path / "many", tmp_path / "again.pt")
    assert same(torch.load(tmp_path / "again.pt"), nested())


class Counter:
    def __init__(self, value):
        self.value = value

    def state_dict(self):
        return {"value": self.value, "buffer": torch.ones(2) * self.value}

    def load_state_dict(self, state):
        self.value = state["value"]
        assert torch.equal(state["buffer"], torch.ones(2) * self.value)


def test_what_has_a_state_and_later(tmp_path):
    import torch.distributed.checkpoint as dcp

    state = {"counter": Counter(3), "x": torch.ones(1000)}
    future = dcp.async_save(state, checkpoint_id=tmp_path)
    state["x"].zero_()  # what is saved is what was there
    assert future.result(timeout=60).state_dict_metadata["x"].size == (1000,)
    fresh = {"counter": Counter(0), "x": torch.zeros(1000)}
    dcp.load(fresh, checkpoint_id=tmp_path)
    assert fresh["counter"].value == 3 and fresh["x"].sum() == 1000


def test_stagers(tmp_path):
    import torch.distributed.checkpoint as dcp
    from torch.distributed.checkpoint.staging import BlockingAsyncStager, DefaultStager, StagingOptions

    state = {"x": torch.ones(5), "list": [torch.zeros(2), "text"]}
    stager = DefaultStager()
    response = dcp.async_save(state, checkpoint_id=tmp_path, async_stager=stager)
    assert response.staging_completion.result(timeout=60) is None
    state["x"].zero_()
    response.upload_completion.result(timeout=60)
    stager.close()
    dcp.load(state, checkpoint_id=tmp_path)
    assert state["x"].sum() == 5
    assert isinstance(DefaultStager(StagingOptions(use_async_staging=False)).stage(state), dict)
    stager = BlockingAsyncStager(cache_staged_state_dict=True)
    first = stager.stage(state)["x"]
    assert first is not state["x"] and torch.equal(first, state["x"])
    state["x"].fill_(3)
    assert stager.stage(state)["x"] is first and (first == 3).all()
    lost = dcp.async_save(state, storage_writer=dcp.FileSystemWriter(tmp_path, overwrite=False))
    with pytest.raises(dcp.CheckpointException, match="overwrite is False"):
        lost.result(timeout=60)


def test_a_view_brings_no_storage_along(tmp_path):
    import torch.distributed.checkpoint as dcp

    dcp.save({"x": torch.zeros(1000, 1000)[:, 5]}, checkpoint_id=tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 20000


def test_what_does_not_fit(tmp_path):
    import torch.distributed.checkpoint as dcp

    dcp.save({"x": torch.ones(3)}, checkpoint_id=tmp_path)
    x = torch.zeros(4)
    for state, message in (
        ({"y": x}, "no entry 'y'"),
        ({"x": x}, r"size \[3\] in the checkpoint, not \[4\]"),
        ({"x": 1}, "is a tensor in the checkpoint"),
    ):
        with pytest.raises(dcp.CheckpointException, match=message):
            dcp.load(state, checkpoint_id=tmp_path)
    assert not x.any()
    dcp.load({"y": x}, checkpoint_id=tmp_path, planner=dcp.DefaultLoadPlanner(allow_partial_load=True))
    with pytest.raises(dcp.CheckpointException, match="No such file"):
        dcp.load({"x": x}, checkpoint_id=tmp_path / "nowhere")
    (next(tmp_path.glob("*.distcp"))).write_bytes(b"PK")
    with pytest.raises(dcp.CheckpointException, match="ends before"):
        dcp.load({"x": torch.ones(3)}, checkpoint_id=tmp_path)
    with pytest.raises(dcp.CheckpointException, match="overwrite is False"):
        dcp.save({"x": x}, storage_writer=dcp.FileSystemWriter(tmp_path, overwrite=False))
    with pytest.raises(ValueError, match="checkpoint_id or storage_writer"):
        dcp.save({"x": x})


def limited(folder, limit):
    """A file cannot grow beyond the limit, as on a disk that is full."""
    import resource
    import signal

    import torch.distributed.checkpoint as dcp

    rank = dist.get_rank()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    state = {"x": torch.full((100,), 5.0), "y": torch.full((10,), 5.0)}
    dcp.save(state, checkpoint_id=folder)
    before = sorted(os.listdir(folder))
    dist.barrier()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    if rank == 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, old[1]))
    with pytest.raises(dcp.CheckpointException, match="rank 0: OSError"):
        dcp.save({name: value + 1 for name, value in state.items()}, checkpoint_id=folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, old)
    dist.barrier()  # each rank removes what it has written
    assert sorted(os.listdir(folder)) == before
    state = {name: torch.zeros_like(value) for name, value in state.items()}
    dcp.load(state, checkpoint_id=folder)
    assert all((value == 5).all() for value in state.values())
    dcp.save({name: value + 1 for name, value in state.items()}, checkpoint_id=folder)
    dcp.load(state, checkpoint_id=folder)
    assert all((value == 6).all() for value in state.values())
    dist.barrier()
    assert len(os.listdir(folder)) == len(before)


def resharded(folder):
    import torch.distributed.checkpoint as dcp
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor, init_device_mesh

    size = dist.get_world_size()
    whole = torch.arange(35.0).reshape(7, 5)
    mesh = init_device_mesh("cpu", (size,))
    square = init_device_mesh("cpu", (2, size // 2))
    state = {
        "rows": distribute_tensor(whole, mesh, [Shard(0)]),
        "columns": distribute_tensor(whole, mesh, [Shard(1)]),
        "all": distribute_tensor(whole, mesh, [Replicate()]),
        "both": distribute_tensor(whole, square, [Shard(1), Shard(0)]),
        "plain": whole.clone(),
    }
    metadata = dcp.save(state, checkpoint_id=folder)
    assert len(metadata.state_dict_metadata["all"].chunks) == len(metadata.state_dict_metadata["plain"].chunks) == 1
    for placement in (Shard(0), Shard(1), Replicate()):
        wanted = {name: distribute_tensor(torch.zeros(7, 5), mesh, [placement]) for name in state}
        dcp.load(wanted, checkpoint_id=folder)
        for name, value in wanted.items():
            assert torch.equal(value.full_tensor(), whole), name
    golden = {"sharded": distribute_tensor(torch.zeros(5, 3), mesh, [Shard(0)])}
    dcp.load(golden, checkpoint_id=str(GOLDEN))
    assert torch.equal(golden["sharded"].full_tensor(), torch.arange(15.0).reshape(5, 3))


def of_one_file(folder):
    import torch.distributed.checkpoint as dcp
    from torch.distributed.checkpoint.format_utils import BroadcastingTorchSaveReader, DynamicMetaLoadPlanner
    from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh

    mesh, whole = init_device_mesh("cpu", (dist.get_world_size(),)), torch.arange(10.0).reshape(5, 2)
    state = {"x": distribute_tensor(torch.zeros(5, 2), mesh, [Shard(0)]), "deep": {"y": torch.zeros(3)}}
    how = {"storage_reader": BroadcastingTorchSaveReader(), "planner": DynamicMetaLoadPlanner()}
    if dist.get_rank() == 0:
        torch.save({"x": whole, "deep": {"y": torch.ones(3)}, "more": 1}, f"{folder}.pt")
    dcp.load(state, checkpoint_id=f"{folder}.pt", **how)
    assert torch.equal(state["x"].full_tensor(), whole) and state["deep"]["y"].sum() == 3
    with pytest.raises(dcp.CheckpointException, match="no tensor 'z'"):
        dcp.load({"z": torch.ones(1)}, checkpoint_id=f"{folder}.pt", **how)


def of_the_optimizer(folder):
    import torch.distributed.checkpoint as dcp
    from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh

    mesh, whole = init_device_mesh("cpu", (dist.get_world_size(),)), torch.arange(10.0).reshape(5, 2)
    model = {"a.weight": distribute_tensor(whole, mesh, [Shard(0)])}
    state = {"a.weight": {"exp_avg": model["a.weight"] * 2, "step": torch.tensor(3.0)}}
    dcp.save({"model": model, "optim": {"state": state, "param_groups": [{"lr": 0.5}]}}, checkpoint_id=folder)
    found = dcp.load_sharded_optimizer_state_dict(model, "optim", dcp.FileSystemReader(folder))["optim"]
    assert torch.equal(found["state"]["a.weight"]["exp_avg"].full_tensor(), whole * 2)
    assert found["state"]["a.weight"]["exp_avg"].placements == (Shard(0),)
    assert found["state"]["a.weight"]["step"] == 3 and found["param_groups"] == [{"lr": 0.5}]
    with pytest.raises(RuntimeError, match="nothing under 'other'"):
        dcp.load_sharded_optimizer_state_dict(model, "other", dcp.FileSystemReader(folder))


@pytest.mark.parametrize("function", [of_one_file, of_the_optimizer])
def test_by_threads(function, tmp_path):
    from torch.distributed import _threads

    _threads.run(function, 4, str(tmp_path / "here"), timeout=20)


def together(folder):
    limited(f"{folder}/limited", 1000)
    resharded(f"{folder}/resharded")


def test_ranks(tmp_path):
    import torch.distributed.checkpoint as dcp

    ranks.run(together, 4, str(tmp_path))
    state = {"rows": torch.zeros(7, 5), "both": torch.zeros(7, 5)}
    dcp.load(state, checkpoint_id=tmp_path / "resharded")
    assert all(torch.equal(value, torch.arange(35.0).reshape(7, 5)) for value in state.values())


def test_names_in_the_files(tmp_path):
    """What another torch unpickles must have its names: the classes in .metadata are those of the golden one."""
    import torch.distributed.checkpoint as dcp

    def names(folder):
        import pickletools

        text, found = (folder / ".metadata").read_bytes(), set()
        strings = []
        for opcode, argument, _ in pickletools.genops(text):
            if opcode.name == "SHORT_BINUNICODE":
                strings.append(argument)
            if opcode.name == "GLOBAL":
                found.add(argument)
        assert pickle.loads(text).version == "1.0.0"
        return {s for s in strings if s.startswith(("torch.", "transform")) or s[0].isupper()} | found

    dcp.save(nested(), checkpoint_id=tmp_path)
    assert names(tmp_path) <= names(GOLDEN)
