"""Devices in Python: the device meta, whose tensors have a geometry and no elements, wherever a device is taken. What
operators make of such tensors is in test_meta.py; their storages and files are in test_device_files.py."""

import io
import pickle

import numpy
import pytest
import torch
from devices import CPU, META, geometry

pytestmark = pytest.mark.usefixtures("cpu_again")

NO_DATA = "Cannot copy out of meta tensor; no data!"


# ---- making ------------------------------------------------------------------------------------------------
MAKERS = {
    "empty": (lambda **d: torch.empty(2, 3, **d), ((2, 3), (3, 1), torch.float32)),
    "empty int": (lambda **d: torch.empty((4,), dtype=torch.int16, **d), ((4,), (1,), torch.int16)),
    "empty 0-dim": (lambda **d: torch.empty((), **d), ((), (), torch.float32)),
    "empty_strided": (lambda **d: torch.empty_strided((2, 3), (1, 2), **d), ((2, 3), (1, 2), torch.float32)),
    "empty_permuted": (lambda **d: torch.empty_permuted((2, 3), (1, 0), **d), ((2, 3), (1, 2), torch.float32)),
    "tensor": (lambda **d: torch.tensor([[1, 2, 3]], **d), ((1, 3), (3, 1), torch.int64)),
    "tensor of a number": (lambda **d: torch.tensor(1.5, **d), ((), (), torch.float32)),
    "tensor of nothing": (lambda **d: torch.tensor([], **d), ((0,), (1,), torch.float32)),
    "as_tensor": (lambda **d: torch.as_tensor([True], **d), ((1,), (1,), torch.bool)),
    "as_tensor of an array": (lambda **d: torch.as_tensor(numpy.ones((2, 3)), **d), ((2, 3), (3, 1), torch.float64)),
    "asarray": (lambda **d: torch.asarray([1.0], dtype=torch.float64, **d), ((1,), (1,), torch.float64)),
    "tril_indices": (lambda **d: torch.tril_indices(3, 3, **d), ((2, 6), (6, 1), torch.int64)),
    "triu_indices": (lambda **d: torch.triu_indices(3, 2, dtype=torch.int32, **d), ((2, 3), (3, 1), torch.int32)),
}
FILLED = {
    "zeros": (lambda **d: torch.zeros(2, 3, **d), ((2, 3), (3, 1), torch.float32)),
    "ones": (lambda **d: torch.ones(3, dtype=torch.int64, **d), ((3,), (1,), torch.int64)),
    "full": (lambda **d: torch.full((2,), True, **d), ((2,), (1,), torch.bool)),
    "arange": (lambda **d: torch.arange(5, **d), ((5,), (1,), torch.int64)),
    "arange float": (lambda **d: torch.arange(0, 1, 0.25, **d), ((4,), (1,), torch.float32)),
    "linspace": (lambda **d: torch.linspace(0, 1, 5, **d), ((5,), (1,), torch.float32)),
    "logspace": (lambda **d: torch.logspace(0, 1, 5, **d), ((5,), (1,), torch.float32)),
    "eye": (lambda **d: torch.eye(2, 3, **d), ((2, 3), (3, 1), torch.float32)),
    "rand": (lambda **d: torch.rand(2, **d), ((2,), (1,), torch.float32)),
    "randn": (lambda **d: torch.randn(2, dtype=torch.complex64, **d), ((2,), (1,), torch.complex64)),
    "randint": (lambda **d: torch.randint(5, (2,), **d), ((2,), (1,), torch.int64)),
    "randperm": (lambda **d: torch.randperm(4, **d), ((4,), (1,), torch.int64)),
    "normal": (lambda **d: torch.normal(0.0, 1.0, (2,), **d), ((2,), (1,), torch.float32)),
    "scalar_tensor": (lambda **d: torch.scalar_tensor(3, **d), ((), (), torch.float32)),
    "fftfreq": (lambda **d: torch.fft.fftfreq(5, **d), ((5,), (1,), torch.float32)),
    "rfftfreq": (lambda **d: torch.fft.rfftfreq(5, **d), ((3,), (1,), torch.float32)),
    "hann_window": (lambda **d: torch.hann_window(4, **d), ((4,), (1,), torch.float32)),
    "bartlett_window": (lambda **d: torch.bartlett_window(4, **d), ((4,), (1,), torch.float32)),
    "blackman_window": (lambda **d: torch.blackman_window(4, **d), ((4,), (1,), torch.float32)),
    "kaiser_window": (lambda **d: torch.kaiser_window(4, dtype=torch.float64, **d), ((4,), (1,), torch.float64)),
}
LIKE = {
    "empty_like": (lambda **d: torch.empty_like(torch.ones(3, 2).t(), **d), ((2, 3), (1, 2), torch.float32)),
    "zeros_like": (lambda **d: torch.zeros_like(torch.ones(3, 2).t(), **d), ((2, 3), (1, 2), torch.float32)),
    "rand_like": (lambda **d: torch.rand_like(torch.ones(3, 2).t(), **d), ((2, 3), (1, 2), torch.float32)),
    "new_ones": (lambda **d: torch.ones(1).char().new_ones((2, 3), **d), ((2, 3), (3, 1), torch.int8)),
    "new_tensor": (lambda **d: torch.ones(1).char().new_tensor([1.5], **d), ((1,), (1,), torch.int8)),
    "to": (lambda device=None: torch.ones(3, 2).t().to(device), ((2, 3), (1, 2), torch.float32)),
    "to a dtype": (lambda device=None: torch.ones(3, 2).t().to(device, torch.int64), ((2, 3), (1, 2), torch.int64)),
}
ALL = MAKERS | FILLED | LIKE
# Of these torch.normal alone does not mind the default device: PyTorch's own makes a tensor on the CPU.
FROM_NOTHING = {name: row for name, row in (MAKERS | FILLED).items() if name != "normal"}


@pytest.mark.parametrize("device", ["meta", META], ids=["name", "device"])
@pytest.mark.parametrize(("make", "expected"), ALL.values(), ids=ALL)
def test_tensors_are_made_on_meta(make, expected, device):
    assert geometry(make(device=device)) == (*expected, META)


@pytest.mark.parametrize("device", ["meta:0", "meta:1", torch.device("meta", 3)], ids=str)
@pytest.mark.parametrize(("make", "expected"), MAKERS.values(), ids=MAKERS)
def test_there_is_one_meta_device(make, expected, device):
    assert geometry(make(device=device)) == (*expected, META)


@pytest.mark.parametrize(("make", "expected"), ALL.values(), ids=ALL)
def test_the_same_on_the_cpu(make, expected):
    for device in (None, "cpu", "cpu:0", CPU):
        assert geometry(make(device=device)) == (*expected, CPU)
    assert geometry(make()) == (*expected, CPU)


@pytest.mark.parametrize(("make", "expected"), FROM_NOTHING.values(), ids=FROM_NOTHING)
def test_the_default_device(make, expected):
    with META:
        assert geometry(make()) == geometry(make(device=None)) == (*expected, META)
        assert make(device="cpu").device == CPU
        with CPU:
            assert make().device == CPU
        assert make().device == META
    assert make().device == CPU
    torch.set_default_device("meta")
    assert make().device == META and torch.get_default_device() == META


def test_what_has_no_memory_may_be_large():
    assert torch.empty(10**18, device="meta").numel() == 10**18
    assert torch.tril_indices(10**5, 10**5, device="meta").shape == (2, 5000050000)
    with pytest.raises(RuntimeError, match="overflow"):
        torch.empty(2**62, device="meta")


def test_values_from_the_host_do_not_matter_on_meta():
    """The shape is that of the first elements, as 2.13 has it; nothing is converted."""
    assert torch.tensor([[1, 2], [3]], device="meta").shape == (2, 2)
    assert torch.tensor([300], dtype=torch.uint8, device="meta").dtype == torch.uint8
    assert torch.tensor([[torch.empty((), device="meta"), 1.0]], device="meta").shape == (1, 2)
    with pytest.raises(ValueError, match="too many dimensions 'str'"):
        torch.tensor(["a"], device="meta")
    with pytest.raises(RuntimeError, match="Could not infer dtype"):
        torch.tensor([object()], device="meta")


@pytest.mark.parametrize(
    "make",
    [
        lambda **k: torch.empty(2, 3, **k),
        lambda **k: torch.zeros(2, 3, **k),
        lambda **k: torch.ones(2, 3, **k),
        lambda **k: torch.full((2, 3), 1, **k),
        lambda **k: torch.arange(3, **k),
        lambda **k: torch.arange(0, 3, 1, **k),
        lambda **k: torch.linspace(0, 1, 3, **k),
        lambda **k: torch.logspace(0, 1, 3, **k),
        lambda **k: torch.eye(2, **k),
        lambda **k: torch.rand(2, 3, **k),
        lambda **k: torch.randn(2, 3, **k),
        lambda **k: torch.randint(5, (2, 3), **k),
        lambda **k: torch.randperm(3, **k),
        lambda **k: torch.normal(0.0, 1.0, (2, 3), **k),
        lambda **k: torch.fft.fftfreq(3, **k),
    ],
)
@pytest.mark.filterwarnings("ignore:The number of elements in the out tensor")
def test_out_must_be_on_the_device(make, m):
    c = torch.full((5,), 7.0)
    with pytest.raises(RuntimeError, match=r"device type meta does not match device type of out parameter \(cpu\)"):
        make(out=c, device="meta")
    with pytest.raises(RuntimeError, match=r"device type cpu does not match device type of out parameter \(meta\)"):
        make(out=m, device="cpu")
    with pytest.raises(RuntimeError, match="dtype Double does not match dtype of out parameter"):
        make(out=c, device="meta", dtype=torch.float64)
    with META, pytest.raises(RuntimeError, match="device type meta does not match"):
        make(out=c)
    assert c.tolist() == [7.0] * 5 and m.shape == (2, 3)
    assert make(out=c, device="cpu") is c and make(out=m, device="meta") is m
    assert m.device == META and m.shape == c.shape
    assert make(out=torch.empty(5, device="meta")).device == META


def test_absent_devices_raise_as_ever():
    for name, error in (("cuda", AssertionError), ("xpu", AssertionError), ("mps", NotImplementedError)):
        with pytest.raises(error):
            torch.empty(2, device=name)
        with pytest.raises(error):
            torch.empty(2).to(name)


def test_what_the_cpu_does_not_have(m):
    for tensor in (torch.zeros(2), m):
        assert "__cuda_array_interface__" not in dir(tensor) and not hasattr(tensor, "__cuda_array_interface__")
        assert {"shape", "add_", "T"} < set(dir(tensor)) and dir(tensor) == sorted(dir(tensor))
    assert "__cuda_array_interface__" in dir(torch.Tensor)
    c = torch.zeros(2)
    c.of_my_own = 1
    assert "of_my_own" in dir(c)


# ---- what a tensor says ------------------------------------------------------------------------------------
def test_properties(m):
    c = torch.empty(2)
    assert (m.device, c.device) == (META, CPU) and m.device.index is None
    assert (m.is_meta, m.is_cpu, m.is_cuda) == (True, False, False)
    assert (c.is_meta, c.is_cpu, c.is_cuda) == (False, True, False)
    assert m.get_device() == c.get_device() == torch.get_device(m) == -1
    assert m.data_ptr() == 0 and m.nbytes == 24 and m.element_size() == 4
    assert m.type() == torch.typename(m) == "torch.meta.FloatTensor" and c.type() == "torch.FloatTensor"
    assert isinstance(c, torch.FloatTensor) and not isinstance(m, torch.FloatTensor)
    assert hash(m) == id(m) and len(m) == 2 and m.numel() == 6 and m.is_contiguous() and torch.is_tensor(m)
    assert repr(torch.device("meta", 1)) == "device(type='meta', index=1)" and str(META) == "meta"
    assert not m.is_pinned() and not m.is_shared()


@pytest.mark.parametrize(
    ("size", "dtype", "text"),
    [
        ((2, 3), torch.float32, "tensor(..., device='meta', size=(2, 3))"),
        ((), torch.float32, "tensor(..., device='meta', size=())"),
        ((0,), torch.float32, "tensor(..., device='meta', size=(0,))"),
        ((2, 0), torch.bool, "tensor(..., device='meta', size=(2, 0), dtype=torch.bool)"),
        ((2,), torch.int64, "tensor(..., device='meta', size=(2,), dtype=torch.int64)"),
        ((2,), torch.complex64, "tensor(..., device='meta', size=(2,), dtype=torch.complex64)"),
        (
            (1,) * 19,
            torch.complex128,
            "tensor(..., device='meta',\n       size=(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),\n"
            "       dtype=torch.complex128)",
        ),
        ((10**9,), torch.float32, "tensor(..., device='meta', size=(1000000000,))"),
    ],
)
def test_text(size, dtype, text):
    tensor = torch.empty(size, dtype=dtype, device="meta")
    assert repr(tensor) == str(tensor) == f"{tensor}" == text


def test_text_with_other_contents(m):
    assert m.__repr__(tensor_contents="abc") == "tensor(abc, device='meta', size=(2, 3))"
    with pytest.raises(TypeError, match="unsupported format string"):
        format(torch.empty((), device="meta"), ".2f")


# ---- there is nothing to read ------------------------------------------------------------------------------
@pytest.mark.parametrize("read", [lambda t: t.numpy(), lambda t: t.__array__(), numpy.asarray, numpy.array])
def test_no_array(m, read):
    with pytest.raises(TypeError, match="can't convert meta device type tensor to numpy"):
        read(m)


@pytest.mark.parametrize(
    "read",
    [
        lambda t: t.tolist(),
        lambda t: t.numpy(force=True),
        lambda t: t.cpu(),
        lambda t: t.to("cpu"),
        lambda t: t.to(torch.empty(1)),
        lambda t: t.type(torch.DoubleTensor),
        lambda t: t.type("torch.FloatTensor"),
        lambda t: torch.tensor(t, device="cpu"),
        lambda t: torch.as_tensor(t, device="cpu"),
        lambda t: torch.asarray(t, device="cpu"),
        lambda t: t.__dlpack__(dl_device=(1, 0)),
        lambda t: t.storage().cpu(),
        lambda t: t.untyped_storage().to(device="cpu"),
        lambda t: pickle.dumps(t.untyped_storage()),
        lambda t: torch.save([t.untyped_storage(), t.int().storage()], io.BytesIO()),
        lambda t: torch.UntypedStorage(t.nbytes).copy_(t.untyped_storage()),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_nothing_comes_to_the_cpu(m, read):
    with pytest.raises(NotImplementedError, match=NO_DATA):
        read(m)


@pytest.mark.parametrize("read", [lambda t: t.item(), bool, float, int, complex, lambda t: torch.tensor([t])])
def test_no_number(read):
    with pytest.raises(RuntimeError, match=r"Tensor\.item\(\) cannot be called on meta tensors"):
        read(torch.empty((), device="meta"))


def test_no_memory_for_others(m):
    with pytest.raises(BufferError, match="Cannot pack tensors on meta"):
        m.__dlpack__()
    with pytest.raises(BufferError, match="Cannot pack tensors on meta"):
        torch.utils.dlpack.to_dlpack(m)
    with pytest.raises(BufferError, match="Cannot pack tensors on meta"):
        torch.from_dlpack(torch.ones(2), device="meta")
    for read in (lambda: m.__dlpack_device__(), lambda: torch.from_dlpack(m)):
        with pytest.raises(ValueError, match="Unknown device type meta for Dlpack"):
            read()
    with pytest.raises(TypeError):
        memoryview(m)
    with pytest.raises(RuntimeError, match="only dense CPU tensors can be pinned"):
        m.pin_memory()
    for storage in (m.untyped_storage(), torch.UntypedStorage(4, device="meta")):
        with pytest.raises(TypeError, match="only CPU memory can be pinned"):
            storage.pin_memory()
    for kind in ("cpu", "meta"):
        with pytest.raises(RuntimeError, match=f"{kind.upper()} device type not an accelerator"):
            torch.ones(2).pin_memory(kind)
    with pytest.raises(RuntimeError, match="unknown parameter type"):
        m.record_stream(None)


def test_generators():
    with pytest.raises(RuntimeError, match="META device type not an accelerator"):
        torch.Generator(device="meta")
    with META:
        assert torch.Generator().device == CPU
    with pytest.raises(TypeError, match="must be a torch.ByteTensor"):
        torch.set_rng_state(torch.empty(16, dtype=torch.uint8, device="meta"))


# ---- made like another -------------------------------------------------------------------------------------
def test_moving_and_staying(m):
    c = torch.ones(2, 3)
    assert m.to("meta") is m and m.float() is m and m.to(torch.float32) is m and m.to(device=None) is m
    assert c.cpu() is c and c.to("cpu") is c and c.to(c) is c
    assert m.to("meta:0") is m and c.to("cpu:0") is c  # one of a kind needs no index
    assert m.to(torch.empty(0, device="meta")) is m
    assert torch.as_tensor(m) is m and torch.as_tensor(m, device="meta") is m and torch.asarray(m) is m
    with pytest.raises(ValueError, match="can't alias tensor from device 'cpu' to 'meta'"):
        torch.asarray(c, device="meta", copy=False)


def test_new(m):
    c = torch.ones(2)
    assert geometry(m.new_tensor([1, 2])) == ((2,), (1,), torch.float32, META)
    assert m.new_tensor([1, 2], device="cpu").tolist() == [1.0, 2.0]
    assert c.new_tensor([1, 2], device="meta").device == META
    assert geometry(m.new(4, 5)) == ((4, 5), (5, 1), torch.float32, META)
    assert m.new().shape == (0,) and m.new().device == META and m.new([1, 2, 3]).device == META
    assert m.new(2, device="meta").device == META
    assert c.new_empty(2, device="meta").device == META
    for make, given in ((m.new, "cpu"), (c.new, "meta"), (torch.Tensor, "meta"), (torch.FloatTensor, "meta")):
        with pytest.raises(RuntimeError, match="legacy constructor expects device type"):
            make(2, device=given)
    for make, given in ((m.new, c), (c.new, m), (torch.FloatTensor, m)):
        with pytest.raises(TypeError):
            make(given)
    for make in (m.new, c.new, torch.Tensor, torch.LongTensor):  # a bare number counts GPUs
        with pytest.raises((RuntimeError, AssertionError), match="accelerator|cuda|CUDA|NVIDIA"):
            make(2, device=1)
        with pytest.raises(RuntimeError, match="legacy constructor expects device type: .* but device type: cuda was"):
            make(2, device="cuda:1")
    with META:
        assert torch.Tensor(2).device == torch.FloatTensor([1]).device == c.new(2).device == CPU


def test_what_has_a_device_keeps_it(m):
    c, x = torch.ones(2, 3).t(), m.t()
    with META:
        assert torch.zeros_like(c).device == c.new_zeros(2).device == c.to(torch.int64).device == (c + 1).device == CPU
    for made in (torch.ones_like(x), torch.randn_like(x), x.clone(), x + 1, x.contiguous(), x.new_zeros(2), x.double()):
        assert made.device == META
    assert torch.ones_like(x).stride() == (1, 3)


def test_the_other_way_without_values():
    x = torch.empty(3, 2, dtype=torch.int16, device="meta").t()
    assert torch.zeros_like(x, device="cpu").tolist() == [[0, 0, 0], [0, 0, 0]]
    assert geometry(torch.empty_like(x, device="cpu")) == ((2, 3), (1, 2), torch.int16, CPU)
    assert x.new_full((2,), 5, device="cpu").tolist() == [5, 5]


def test_set_stays_on_its_device(m):
    c = torch.ones(2, 3)
    for target, source in ((m, c), (c, m)):
        for given in (source, source.untyped_storage()):
            with pytest.raises(RuntimeError):
                target.set_(given)
        with pytest.raises(RuntimeError):
            target.data = source
    assert c.tolist() == [[1.0] * 3] * 2 and m.shape == (2, 3)
    assert geometry(m.set_(m.untyped_storage(), 1, (2, 2), (3, 1)))[:2] == ((2, 2), (3, 1)) and m.storage_offset() == 1
