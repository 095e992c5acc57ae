"""Storages in shared memory, within one process: what moves, what is refused, what is left."""

import os
import pickle
import resource
import subprocess
import sys
import warnings
from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest
import torch
import torch.multiprocessing as mp

OURS = hasattr(torch._C, "_storage_filename")


def sent(value):
    """What another process would be given, made here."""
    return pickle.loads(ForkingPickler.dumps(value))


def test_a_tensor_moves_and_its_views_follow(strategy):
    base = torch.arange(12.0).reshape(3, 4)
    row, column = base[1], base[:, 2]
    before = base.untyped_storage()._cdata
    assert not base.is_shared() and not row.is_shared()
    assert base[0].share_memory_().is_shared() and base.is_shared() and row.is_shared()
    row.fill_(7)
    assert base[1].tolist() == [7] * 4 and column.tolist() == [2, 7, 10]
    assert base.untyped_storage()._cdata == before and base.share_memory_() is base
    with pytest.raises(RuntimeError, match="not resizable"):
        base.resize_(100)


def test_every_way_of_sharing(strategy):
    for shared in (
        torch.ones(3).share_memory_(),
        torch.ones(3).untyped_storage().share_memory_(),
        torch.ones(3).storage().share_memory_(),
        torch.UntypedStorage._new_shared(12),
        torch.FloatStorage._new_shared(3),
    ):
        assert shared.is_shared()
    storage = torch.ones(3).untyped_storage()
    if strategy == "file_descriptor":
        descriptor, size = storage._share_fd_cpu_()
        assert size == 12 and os.fstat(descriptor).st_size == 12
        same = torch.UntypedStorage._new_shared_fd_cpu(os.dup(descriptor), size)
    else:
        manager, name, size = storage._share_filename_cpu_()
        assert size == 12 and os.stat(f"/dev/shm{name.decode()}").st_size == 12
        same = torch.UntypedStorage._new_shared_filename_cpu(manager, name, size)
        assert storage._shared_incref() is storage and storage._shared_decref() is storage
    assert same.is_shared() and same.tolist() == storage.tolist()
    if OURS:  # one segment is one storage
        assert same is storage


@pytest.mark.parametrize("dtype", [torch.uint8, torch.bool, torch.float16, torch.int64, torch.complex128])
def test_every_dtype(strategy, dtype):
    tensor = torch.ones(5, dtype=dtype)
    got = sent(tensor)
    assert got.dtype == dtype and got.tolist() == tensor.tolist() and got.data_ptr() == tensor.data_ptr()


def test_geometry(strategy):
    base = torch.arange(24).reshape(2, 3, 4)
    for tensor in (base.transpose(0, 2), base[1:, ::2], base[0, 0, 0], base[:0], torch.ones(3).expand(4, 3)[1:]):
        got = sent(tensor)
        assert got.equal(tensor) and got.stride() == tensor.stride() and got.shape == tensor.shape
        assert not tensor.numel() or got.storage_offset() == tensor.storage_offset()
    for empty in (torch.empty(0), torch.empty(2, 0, 3, dtype=torch.int16)):
        got = sent(empty)
        assert got.shape == empty.shape and got.dtype == empty.dtype


def test_conjugates(strategy):
    tensor = torch.tensor([1 + 2j, 3 - 1j])
    if OURS:  # PyTorch forgets that it is a conjugate
        assert sent(tensor.conj()).tolist() == [1 - 2j, 3 + 1j]
        assert sent(tensor.conj().imag).tolist() == [-2, 1]


def test_gradients(strategy):
    leaf = torch.ones(3, requires_grad=True)
    leaf.grad = torch.ones(3)
    got = sent(leaf)
    assert got.requires_grad and got.is_leaf and got.grad is None
    with pytest.raises(RuntimeError, match="Cowardly refusing to serialize non-leaf tensor which requires_grad"):
        sent(leaf * 2)
    assert sent((leaf * 2).detach()).tolist() == [2, 2, 2]
    leaf.register_hook(lambda grad: grad)
    with pytest.warns(UserWarning, match="will not be serialized"):
        sent(leaf)


def test_parameters(strategy):
    nn = pytest.importorskip("torch.nn", reason="no torch.nn in this build")
    parameter = nn.Parameter(torch.ones(2), requires_grad=False)
    got = sent(parameter)
    assert type(got) is nn.Parameter and not got.requires_grad and got.data_ptr() == parameter.data_ptr()
    assert sent(nn.Parameter(torch.ones(2))).requires_grad


class Derived(torch.Tensor):
    pass


def test_subclasses_and_storages(strategy):
    tensor = torch.ones(3).as_subclass(Derived)
    got = sent(tensor)
    assert type(got) is Derived and got.tolist() == [1, 1, 1]
    storage = torch.ones(3).storage()
    again = sent(storage)
    assert again.dtype == torch.float32 and again.tolist() == [1, 1, 1] and again.data_ptr() == storage.data_ptr()
    both = sent([tensor, tensor, {"view": tensor[1:]}])
    assert both[0] is both[1]


def test_meta():
    meta = torch.empty(2, 3, device="meta", dtype=torch.int8)
    got = sent(meta)
    assert got.device.type == "meta" and got.shape == (2, 3) and got.dtype == torch.int8
    assert not meta.is_shared()
    with pytest.raises(RuntimeError, match="_share_fd_: only available on CPU"):
        meta.share_memory_()


def test_numpy_arrays(strategy):
    array = np.arange(4.0)
    tensor = torch.from_numpy(array).share_memory_()
    tensor[0] = 9
    assert tensor.tolist() == [9, 1, 2, 3] and array[0] == 0
    tensor = torch.ones(3)
    array = tensor.numpy()
    tensor.share_memory_().fill_(5)
    if OURS:  # PyTorch has freed it
        assert array.tolist() == [1, 1, 1]
    assert tensor.numpy().tolist() == [5, 5, 5]


@pytest.mark.skipif(not OURS, reason="PyTorch moves them all the same")
def test_what_cannot_move(strategy):
    tensor = torch.ones(4)
    with memoryview(tensor.untyped_storage()):
        with pytest.raises(RuntimeError, match=r"address is known elsewhere \(1 of"):
            tensor.share_memory_()
        assert not tensor.is_shared() and tensor.tolist() == [1] * 4
    part = tensor.untyped_storage()[4:8]
    with pytest.raises(RuntimeError, match="a slice of a storage cannot move"):
        part.share_memory_()
    with pytest.raises(RuntimeError, match="address is known elsewhere"):
        tensor.share_memory_()
    del part
    assert tensor.share_memory_().is_shared()


def test_files(strategy, tmp_path):
    path = tmp_path / "numbers"
    path.write_bytes(bytes(range(16)))
    shared = torch.from_file(str(path), True, 16, dtype=torch.uint8)
    assert shared.is_shared() and shared.untyped_storage().filename == str(path)
    if OURS:  # by its name
        got = sent(shared)
        got[0] = 77
        assert shared[0] == 77 and path.read_bytes()[0] == 77
    private = torch.from_file(str(path), False, 16, dtype=torch.uint8)
    assert private.is_shared() and private.untyped_storage().filename is None
    got = sent(private)
    got[1] = 99
    assert private[1] == 99 and path.read_bytes()[1] == 1


def test_strategies():
    assert mp.get_all_sharing_strategies() == {"file_descriptor", "file_system"}
    assert mp.get_sharing_strategy() == "file_descriptor"
    with pytest.raises(AssertionError, match="invalid sharing strategy 'files', expected one of {"):
        mp.set_sharing_strategy("files")
    assert torch.multiprocessing is mp


def test_both_strategies_at_once():
    first = torch.ones(3).share_memory_()
    mp.set_sharing_strategy("file_system")
    try:
        second = torch.ones(3).share_memory_()
        assert sent([first, second])[0].data_ptr() == first.data_ptr()
        if OURS:
            with pytest.raises(RuntimeError, match="shared by its file descriptor already"):
                first.untyped_storage()._share_filename_cpu_()
            with pytest.raises(RuntimeError, match="shared by a name already"):
                second.untyped_storage()._share_fd_cpu_()
    finally:
        mp.set_sharing_strategy("file_descriptor")
    assert sent([first, second])[1].data_ptr() == second.data_ptr()


@pytest.mark.skipif(not OURS, reason="PyTorch's errors are others")
def test_wrong_handles():
    storage = torch.ones(3).untyped_storage()
    with pytest.raises(RuntimeError, match="unable to map 100 bytes of shared memory: the segment has 12"):
        torch.UntypedStorage._new_shared_fd_cpu(storage._share_fd_cpu_()[0], 100)
    with pytest.raises(RuntimeError, match="'nobody' is no address"):
        torch.UntypedStorage._new_shared_filename_cpu(b"nobody", b"/torch_1_2_3", 8)
    with pytest.raises(RuntimeError, match="has to live until the storage has been received"):
        torch.UntypedStorage._new_shared_filename_cpu(b"fffff:1", b"/torch_1_2_3", 8)


def test_no_room(strategy):
    """More than there can be: the error names both numbers, and nothing stays."""
    place = os.statvfs("/dev/shm")
    total = place.f_blocks * place.f_frsize
    names = set(os.listdir("/dev/shm"))
    if not OURS:
        pytest.skip("PyTorch ends with SIGBUS, or says less")
    with pytest.raises(
        RuntimeError, match=f"of {total + 4096} bytes: No space left.* holds {total} bytes, of which"
    ) as e:
        torch.UntypedStorage._new_shared(total + 4096)
    assert "shm-size" in str(e.value)
    now = os.statvfs("/dev/shm")
    assert now.f_bfree * now.f_frsize > total // 100 and not {
        name for name in set(os.listdir("/dev/shm")) - names if name.startswith(f"torch_{os.getpid()}_")
    }
    assert torch.ones(3).share_memory_().is_shared()


@pytest.mark.skipif(not OURS, reason="PyTorch says less")
def test_too_many_files():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        with pytest.raises(RuntimeError, match=r"Too many open files.*set_sharing_strategy\('file_system'\)"):
            kept = [torch.ones(1).share_memory_() for _ in range(300)]
        mp.set_sharing_strategy("file_system")
        kept = [torch.ones(1).share_memory_() for _ in range(300)]
        assert all(tensor.is_shared() for tensor in kept)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        mp.set_sharing_strategy("file_descriptor")


def test_descriptors_and_memory_do_not_grow(strategy):
    def round_of(n):
        for _ in range(n):
            tensor = torch.ones(1000).share_memory_()
            assert tensor.is_shared()

    round_of(10)
    before = len(os.listdir("/proc/self/fd"))
    round_of(500)
    assert len(os.listdir("/proc/self/fd")) == before


def test_copies_are_not_shared(strategy):
    import copy

    shared = torch.ones(3).share_memory_()
    for other in (shared.clone(), copy.deepcopy(shared), shared + 1):
        assert not other.is_shared()
    assert shared[1:].is_shared() and shared.detach().is_shared() and shared.view(torch.int32).is_shared()


def test_import_does_not_start_anything():
    """`import torch` loads neither multiprocessing nor starts a process."""
    program = "import sys, torch; print('multiprocessing' in sys.modules, 'torch.multiprocessing' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=os.getcwd())
    if OURS:
        assert done.stdout.split() == ["False", "False"], done.stderr
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not torch.ones(1).is_shared()
