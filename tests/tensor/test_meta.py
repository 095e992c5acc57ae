"""Tensors of the device "meta": a shape, strides and a dtype, and no memory."""

import copy
import io
import pickle

import numpy as np
import pytest
import torch

NO_DATA = "Cannot copy out of meta tensor; no data!"
NO_ITEM = r"Tensor\.item\(\) cannot be called on meta tensors"


def meta(*shape, dtype=torch.float32):
    return torch.empty(*shape, dtype=dtype, device="meta")


def described(x):
    return x.device.type, x.dtype, tuple(x.shape), x.stride(), x.storage_offset()


@pytest.fixture(autouse=True)
def cpu_again():
    yield
    torch.set_default_device(None)


# ---- making ---------------------------------------------------------------------------------------------------
MAKERS = {
    "empty": lambda **kw: torch.empty(2, 3, **kw),
    "empty_strided": lambda **kw: torch.empty_strided((2, 3), (1, 2), **kw),
    "zeros": lambda **kw: torch.zeros(2, 3, **kw),
    "ones": lambda **kw: torch.ones((2, 3), **kw),
    "full": lambda **kw: torch.full((2, 3), 7, **kw),
    "tensor": lambda **kw: torch.tensor([[1, 2], [3, 4]], **kw),
    "tensor of floats": lambda **kw: torch.tensor(1.5, dtype=torch.float16, **kw),
    "as_tensor": lambda **kw: torch.as_tensor([True, False], **kw),
    "as_tensor of an array": lambda **kw: torch.as_tensor(np.ones((2, 3)), **kw),
    "arange": lambda **kw: torch.arange(1, 9, 3, **kw),
    "linspace": lambda **kw: torch.linspace(0, 1, 5, **kw),
    "logspace": lambda **kw: torch.logspace(0, 1, 5, **kw),
    "eye": lambda **kw: torch.eye(3, 4, **kw),
    "rand": lambda **kw: torch.rand(2, 3, **kw),
    "randn": lambda **kw: torch.randn(2, 3, dtype=torch.complex64, **kw),
    "randint": lambda **kw: torch.randint(5, (2, 3), **kw),
    "randperm": lambda **kw: torch.randperm(5, **kw),
    "normal": lambda **kw: torch.normal(0.0, 1.0, (2, 3), **kw),
    "hann_window": lambda **kw: torch.hann_window(6, **kw),
    "kaiser_window": lambda **kw: torch.kaiser_window(6, **kw),
    "tril_indices": lambda **kw: torch.tril_indices(3, 4, **kw),
    "fftfreq": lambda **kw: torch.fft.fftfreq(5, **kw),
    "zeros_like": lambda **kw: torch.zeros_like(torch.ones(3, 2).t(), **kw),
    "empty_like": lambda **kw: torch.empty_like(torch.ones(3, 2).t(), **kw),
    "rand_like": lambda **kw: torch.rand_like(torch.ones(3, 2).t(), **kw),
    "new_ones": lambda **kw: torch.ones(1, dtype=torch.int8).new_ones((2, 3), **kw),
    "new_tensor": lambda **kw: torch.ones(1, dtype=torch.int8).new_tensor([1.5], **kw),
    "to": lambda device="cpu": torch.ones(3, 2).t().to(device),
    "to with a dtype": lambda device="cpu": torch.ones(3, 2).t().to(device, torch.int64),
}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("device", ["meta", torch.device("meta")])
def test_a_maker_takes_the_device(name, device):
    made, on_cpu = MAKERS[name](device=device), MAKERS[name]()
    assert described(made) == ("meta", *described(on_cpu)[1:])


# Of these torch.normal alone does not mind: PyTorch's own makes a tensor on the CPU.
FROM_NOTHING = [n for n in MAKERS if not n.startswith(("to", "new_")) and not n.endswith("_like") and n != "normal"]


@pytest.mark.parametrize("name", FROM_NOTHING)
def test_a_maker_minds_the_default_device(name):
    on_cpu = described(MAKERS[name]())
    with torch.device("meta"):
        inside = MAKERS[name]()
        other = MAKERS[name](device="cpu")
    assert described(inside) == ("meta", *on_cpu[1:]) and described(other) == on_cpu
    torch.set_default_device("meta")
    assert torch.get_default_device() == torch.device("meta")
    assert described(MAKERS[name]()) == described(inside)
    torch.set_default_device(None)
    assert described(MAKERS[name]()) == on_cpu


def test_what_has_a_device_keeps_it():
    x, cpu = meta(2, 3).t(), torch.ones(2)
    for made in (torch.ones_like(x), torch.randn_like(x), x.clone(), x + 1, x.contiguous(), x.new_zeros(2), x.double()):
        assert made.is_meta
    assert torch.ones_like(x).stride() == (1, 3)
    with torch.device("meta"):
        assert (cpu + 1).device.type == "cpu" and torch.zeros_like(cpu).tolist() == [0, 0]
        assert cpu.new_ones(1).tolist() == [1] and torch.from_numpy(np.ones(1)).tolist() == [1]


def test_the_other_way_without_values():
    x = meta(3, 2, dtype=torch.int16).t()
    assert torch.zeros_like(x, device="cpu").tolist() == [[0, 0, 0], [0, 0, 0]]
    assert described(torch.empty_like(x, device="cpu")) == ("cpu", torch.int16, (2, 3), (1, 2), 0)
    assert x.new_full((2,), 5, device="cpu").tolist() == [5, 5]


def test_there_is_one_meta_device():
    assert torch.device("meta").type == "meta" and torch.device("meta").index is None
    assert repr(torch.device("meta", 1)) == "device(type='meta', index=1)" and str(torch.device("meta")) == "meta"
    for device in ("meta:0", "meta:1", torch.device("meta", 3)):
        assert torch.ones(2, device=device).device == torch.device("meta")


# ---- asking ---------------------------------------------------------------------------------------------------
def test_properties():
    x = meta(2, 3, dtype=torch.int16)
    assert x.device == torch.device("meta") and x.is_meta and not x.is_cpu and not x.is_cuda
    assert not torch.ones(1).is_meta and torch.ones(1).is_cpu
    assert x.get_device() == -1 and x.data_ptr() == 0
    assert (x.numel(), x.nbytes, x.element_size(), len(x), x.dim()) == (6, 12, 2, 2, 2)
    assert x.is_contiguous() and not x.is_pinned() and not x.is_shared()
    assert x.type() == "torch.meta.ShortTensor" and meta(1).type() == "torch.meta.FloatTensor"
    assert hash(x) == id(x) and torch.is_tensor(x)


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (lambda: meta(3), "tensor(..., device='meta', size=(3,))"),
        (lambda: meta(()), "tensor(..., device='meta', size=())"),
        (lambda: meta(2, 0), "tensor(..., device='meta', size=(2, 0))"),
        (lambda: meta(2, 2, dtype=torch.int64), "tensor(..., device='meta', size=(2, 2), dtype=torch.int64)"),
        (lambda: meta(2, dtype=torch.bool), "tensor(..., device='meta', size=(2,), dtype=torch.bool)"),
        (lambda: meta(2, dtype=torch.complex64), "tensor(..., device='meta', size=(2,), dtype=torch.complex64)"),
        (lambda: meta(10**6, 10**6), "tensor(..., device='meta', size=(1000000, 1000000))"),
    ],
)
def test_text(x, text):
    assert repr(x()) == str(x()) == f"{x()}" == text


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: x[0].item(), RuntimeError, NO_ITEM),
        (lambda x: bool(x[0]), RuntimeError, NO_ITEM),
        (lambda x: int(x[0]), RuntimeError, NO_ITEM),
        (lambda x: float(x[0]), RuntimeError, NO_ITEM),
        (lambda x: complex(x[0]), RuntimeError, NO_ITEM),
        (lambda x: x[0].is_nonzero(), RuntimeError, NO_ITEM),
        (lambda x: [1, 2][x.long()[0]], RuntimeError, NO_ITEM),
        (lambda x: 3 in x, RuntimeError, NO_ITEM),
        (lambda x: torch.allclose(x, x), RuntimeError, NO_ITEM),
        (lambda x: x.tolist(), NotImplementedError, NO_DATA),
        (lambda x: x[:0].tolist(), NotImplementedError, NO_DATA),
        (lambda x: x.cpu(), NotImplementedError, NO_DATA),
        (lambda x: x.to("cpu"), NotImplementedError, NO_DATA),
        (lambda x: x.to(torch.ones(1)), NotImplementedError, NO_DATA),
        (lambda x: x.type(torch.FloatTensor), NotImplementedError, NO_DATA),
        (lambda x: torch.ones(3).copy_(x), NotImplementedError, NO_DATA),
        (lambda x: torch.ones(3).__setitem__(0, x[0]), NotImplementedError, NO_DATA),
        (lambda x: torch.ones(3).__setitem__(slice(2), x[:2]), NotImplementedError, NO_DATA),
        (lambda x: x.untyped_storage().cpu(), NotImplementedError, NO_DATA),
        (lambda x: x.numpy(force=True), NotImplementedError, NO_DATA),
        (lambda x: x.numpy(), TypeError, "can't convert meta device type tensor to numpy"),
        (lambda x: np.asarray(x), TypeError, "can't convert meta device type tensor to numpy"),
        (lambda x: x.__array__(), TypeError, "can't convert meta device type tensor to numpy"),
        (lambda x: x.__dlpack__(), BufferError, "Cannot pack tensors on meta"),
        (lambda x: torch.utils.dlpack.to_dlpack(x), BufferError, "Cannot pack tensors on meta"),
        (lambda x: x.__dlpack_device__(), ValueError, "Unknown device type meta"),
        (lambda x: torch.from_dlpack(x), ValueError, "Unknown device type meta"),
        (lambda x: memoryview(x), TypeError, "bytes-like"),
        (lambda x: x.pin_memory(), RuntimeError, "only dense CPU tensors can be pinned"),
        (lambda x: x.untyped_storage()[0], NotImplementedError, "Not available for 'meta' device type"),
        (lambda x: x.untyped_storage().tolist(), NotImplementedError, "Not available for 'meta' device type"),
        (lambda x: format(x[0], ".2f"), TypeError, "unsupported format string"),
        # the shape of the result depends on values
        (lambda x: torch.nonzero(x), NotImplementedError, "nonzero"),
        (lambda x: torch.where(x), NotImplementedError, "nonzero"),
        (lambda x: x[x > 0], NotImplementedError, "nonzero|masked_select"),
        (lambda x: x.masked_select(x > 0), NotImplementedError, "masked_select"),
        (lambda x: x.unique(), NotImplementedError, "unique"),
        (lambda x: torch.bincount(x.long()), NotImplementedError, "bincount"),
        (lambda x: torch.equal(x, x), NotImplementedError, "equal"),
    ],
)
def test_what_needs_elements_raises(call, error, words):
    x = meta(3)
    with pytest.raises(error, match=words):
        call(x)
    assert described(x) == ("meta", torch.float32, (3,), (1,), 0)


@pytest.mark.parametrize("call", [bool, float, int, lambda x: x.item()])
@pytest.mark.parametrize("shape", [(2,), (0,)])
def test_the_number_of_elements_comes_first(call, shape):
    with pytest.raises((RuntimeError, ValueError), match="ambiguous|converted"):
        call(meta(shape))


# ---- views, writing -------------------------------------------------------------------------------------------
VIEWS = [
    lambda x: x.t(),
    lambda x: x[1],
    lambda x: x[:, 1::2],
    lambda x: x[None, ..., -1],
    lambda x: x.view(-1),
    lambda x: x.expand(5, 4, 6),
    lambda x: x.permute(1, 0).unsqueeze(0),
    lambda x: x.as_strided((2, 2), (3, 1), 5),
    lambda x: x.diagonal(1),
    lambda x: x.unfold(1, 3, 2),
    lambda x: x.narrow(0, 1, 2).select(1, 3),
    lambda x: x.view(torch.int16),
    lambda x: x.reshape(2, 12),
    lambda x: x.detach(),
    lambda x: x.split(4, 1)[1],
    lambda x: x.unbind(1)[2],
    lambda x: torch.view_as_complex(x.view(4, 3, 2)),
    lambda x: list(x)[1],
]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_lies_in_its_base(view):
    base = meta(4, 6)
    assert described(view(base)) == ("meta", *described(view(torch.ones(4, 6)))[1:])
    assert view(base).untyped_storage()._cdata == base.untyped_storage()._cdata


def test_views_that_do_not_exist():
    x = meta(2, 3)
    for call in (lambda: x.t().view(6), lambda: x.view(5), lambda: x.expand(3, 3)):
        with pytest.raises(RuntimeError):
            call()
    for call in (lambda: x[2], lambda: x[0, 0, 0], lambda: x.transpose(0, 2)):
        with pytest.raises(IndexError):
            call()


WRITES = [
    lambda x: x.add_(1),
    lambda x: x.zero_(),
    lambda x: x.fill_(torch.tensor(2.0)),
    lambda x: x.mul_(x),
    lambda x: x.copy_(torch.ones(2, 3)),
    lambda x: x.copy_(torch.ones(3, dtype=torch.int64)),
    lambda x: x.copy_(meta(3)),
    lambda x: x.clamp_(0, 1),
    lambda x: x.normal_(),
    lambda x: x.random_(),
    lambda x: x.bernoulli_(0.5),
    lambda x: x.index_fill_(0, meta(2, dtype=torch.int64), 1),
    lambda x: x.masked_fill_(x > 0, 1),
    lambda x: torch.exp(x, out=x),
    lambda x: torch.add(x, x[0], out=x),
]


@pytest.mark.parametrize("write", WRITES)
def test_a_write_in_place_gives_back_its_tensor(write):
    x = meta(3, 2).t()
    assert write(x) is x and described(x) == ("meta", torch.float32, (2, 3), (1, 2), 0)


def test_a_write_counts_as_one():
    x = meta(3)
    before = x._version
    x.add_(1)
    x[0] = 5
    assert x._version == before + 2


def test_setting_items():
    x = meta(3, 4)
    x[0] = 1
    x[:, 1:3] = torch.ones(2)
    x[1] = meta(4)
    x[x > 0] = 0
    x[torch.tensor([0, 2])] = 7
    x[meta(2, dtype=torch.int64)] = meta(2, 4)
    assert described(x) == ("meta", torch.float32, (3, 4), (4, 1), 0)
    with pytest.raises(RuntimeError):
        x[0] = meta(5)
    with pytest.raises(IndexError):
        x[3] = 1


def test_reading_items_by_tensors():
    x = meta(3, 4)
    assert described(x[torch.tensor([0, 2])]) == ("meta", torch.float32, (2, 4), (4, 1), 0)
    assert x[meta(5, dtype=torch.int64)].shape == (5, 4) and x[:, [0, 1, 1]].shape == (3, 3)
    assert x[torch.tensor([17])].shape == (1, 4)  # no index is looked at


def test_out_takes_the_shape_of_the_result():
    out = meta(0)
    assert torch.add(meta(2, 1), meta(3), out=out) is out and out.shape == (2, 3)
    assert out.untyped_storage().nbytes() == 24
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.add(meta(2), meta(2), out=meta(2, dtype=torch.int64))
    for wrong in (lambda: torch.add(meta(2), meta(2), out=torch.ones(2)),
                  lambda: torch.exp(torch.ones(2), out=meta(2)),
                  lambda: torch.mm(meta(2, 2), meta(2, 2), out=torch.ones(2, 2))):  # fmt: skip
        with pytest.raises(RuntimeError):
            wrong()


def test_shapes_of_a_copy_are_checked():
    with pytest.raises(RuntimeError):
        meta(3).copy_(torch.ones(4))
    assert meta(2, 3).copy_(torch.ones(())).shape == (2, 3)


# ---- devices that meet ----------------------------------------------------------------------------------------
JOINED = [
    lambda x, one: x + one,
    lambda x, one: one * x,
    lambda x, one: x.add_(one),
    lambda x, one: torch.where(x > 0, x, one),
    lambda x, one: torch.maximum(x, one),
    lambda x, one: x.clamp(one),
    lambda x, one: x.lerp(x, one),
    lambda x, one: torch.addcmul(x, x, one),
    lambda x, one: x == one,
    lambda x, one: x.fill_(one),
    lambda x, one: x**one,
]


@pytest.mark.parametrize("call", JOINED)
def test_a_number_on_the_cpu_may_join(call):
    result = call(meta(3), torch.tensor(2.0))
    assert result.is_meta and result.shape == (3,)


REFUSED = [
    lambda x, y: x + y,
    lambda x, y: y + x,
    lambda x, y: y + x[0],
    lambda x, y: torch.where(x > 0, x, y),
    lambda x, y: torch.where(y > 0, x, x),
    lambda x, y: torch.cat([x, y]),
    lambda x, y: torch.stack([x, y]),
    lambda x, y: x.masked_fill(y > 0, 1),
    lambda x, y: torch.add(y, y, out=x),
    lambda x, y: x.set_(y),
    lambda x, y: y.set_(x),
    lambda x, y: x.set_(y.untyped_storage()),
    lambda x, y: setattr(x, "data", y),
    lambda x, y: setattr(y, "data", x),
]


@pytest.mark.parametrize("call", REFUSED)
def test_tensors_of_two_devices_do_not_meet(call):
    x, y = meta(3), torch.ones(3)
    with pytest.raises(RuntimeError):
        call(x, y)
    assert described(x) == ("meta", torch.float32, (3,), (1,), 0) and y.tolist() == [1, 1, 1]


# ---- storage, copies, files -----------------------------------------------------------------------------------
def test_storage():
    x = meta(2, 3)
    storage = x.untyped_storage()
    assert (storage.nbytes(), storage.data_ptr(), storage.device) == (24, 0, torch.device("meta"))
    assert repr(storage) == "...\n[torch.storage.UntypedStorage(device=meta) of size 24]"
    storage.resize_(100)
    assert storage.nbytes() == 100 and x.shape == (2, 3)
    assert x.resize_(5, 7).untyped_storage().nbytes() == 140
    assert storage.clone().device == torch.device("meta") and len(torch.UntypedStorage(10, device="meta")) == 10
    y = meta(1).set_(storage, 1, (2, 2), (3, 1))
    assert described(y) == ("meta", torch.float32, (2, 2), (3, 1), 1)


def written_and_read(x, **options):
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    return torch.load(file, **options)


COPIES = [
    copy.copy,
    copy.deepcopy,
    lambda x: pickle.loads(pickle.dumps(x)),
    lambda x: pickle.loads(pickle.dumps(x, 2)),
    written_and_read,
    lambda x: written_and_read(x, map_location="meta"),
    lambda x: written_and_read(x, weights_only=False),
]


@pytest.mark.parametrize("again", COPIES)
@pytest.mark.parametrize("x", [lambda: meta(2, 3), lambda: meta(4, 3, dtype=torch.int16).t()[:, 1:], lambda: meta(())])
def test_copies_and_files(again, x):
    x = x()
    read = again(x)
    assert described(read) == (*described(x)[:-1], 0)  # what is written is a shape, and no storage to lie in


def test_a_file_holds_a_shape_alone():
    file = io.BytesIO()
    torch.save(meta(10**6, 10**6), file)
    assert len(file.getvalue()) < 2000 and b"_rebuild_meta_tensor_no_storage" in file.getvalue()
    file.seek(0)
    assert torch.load(file, map_location="cpu").is_meta
    with pytest.raises(NotImplementedError, match=NO_DATA):
        pickle.dumps(meta(2).untyped_storage())


def test_a_deep_copy_keeps_attributes():
    x = meta(3)
    x.role = ["weight"]
    y = copy.deepcopy(x)
    assert y.role == ["weight"] and y.role is not x.role


def test_a_file_of_values_is_read_without_them():
    values = {"weight": torch.arange(6.0).view(2, 3).t(), "steps": torch.tensor(3)}
    read = written_and_read(values, map_location="meta")
    assert described(read["weight"]) == ("meta", torch.float32, (3, 2), (1, 3), 0)
    assert described(read["steps"]) == ("meta", torch.int64, (), (), 0)


def test_changing_the_dtype():
    x = meta(3, 2).t()
    for made, dtype in ((x.double(), torch.float64), (x.half(), torch.float16), (x.to(torch.int8), torch.int8),
                        (x.type(torch.bool), torch.bool), (x.type_as(meta(1, dtype=torch.int64)), torch.int64),
                        (x.to("meta", torch.bfloat16), torch.bfloat16), (x.cfloat(), torch.complex64)):  # fmt: skip
        assert described(made) == ("meta", dtype, (2, 3), (1, 2), 0)
    assert x.to("meta") is x and x.float() is x and x.to(meta(1)) is x
    assert torch.ones(3).to(x).is_meta and torch.ones(3).to(device="meta", dtype=torch.int8).dtype == torch.int8
    with pytest.raises(NotImplementedError, match=NO_DATA):
        x.type("torch.FloatTensor")


# ---- random numbers -------------------------------------------------------------------------------------------
def test_no_random_number_is_drawn():
    state = torch.get_rng_state()
    torch.rand(10, device="meta"), torch.randperm(10, device="meta"), torch.randint(3, (2,), device="meta")
    x = meta(5).normal_().uniform_().exponential_().random_()
    torch.bernoulli(x), torch.multinomial(x, 3), torch.normal(x, 1.0)
    assert torch.equal(state, torch.get_rng_state())
    assert torch.multinomial(x, 3).shape == (3,) and torch.multinomial(x, 3).dtype == torch.int64


def test_a_wrong_parameter_of_a_distribution():
    with pytest.raises(RuntimeError, match="std"):
        meta(3).normal_(0, -1)


# ---- what it is for -------------------------------------------------------------------------------------------
def test_shapes_of_what_would_never_fit():
    x = meta(10**6, 10**6)
    assert x.nbytes == 4 * 10**12
    assert (x @ x).shape == (10**6, 10**6) and x.sum(0).shape == (10**6,) and (x + x.t()).stride() == (10**6, 1)
    assert x.sort(dim=0).indices.dtype == torch.int64 and torch.cat([x, x], 1).shape == (10**6, 2 * 10**6)
    assert x.softmax(-1).shape == x.shape and torch.linalg.qr(x[:, :10]).R.shape == (10, 10)
    with pytest.raises(RuntimeError):
        torch.empty(2**40, 2**40, device="meta")
    with pytest.raises(RuntimeError):
        torch.empty(-1, device="meta")


class Linear:
    """A layer as users write one: parameters by name, shapes that must fit."""

    def __init__(self, inputs, outputs):
        self.weight = torch.randn(outputs, inputs) / inputs**0.5
        self.bias = torch.zeros(outputs)

    def __call__(self, x):
        return torch.addmm(self.bias, x, self.weight.t())


def test_a_model_without_memory():
    with torch.device("meta"):
        layers = [Linear(10**6, 10**5), Linear(10**5, 10)]
    x = meta(10**4, 10**6)
    for layer in layers:
        x = layer(x).clamp(min=0)
    assert described(x) == ("meta", torch.float32, (10**4, 10), (10, 1), 0)
    assert sum(layer.weight.numel() for layer in layers) == 10**11 + 10**6
    with pytest.raises(RuntimeError):
        layers[1](meta(2, 3))
    small = Linear(3, 2)
    small.weight = torch.empty_like(small.weight.to("meta"), device="cpu").fill_(1)
    assert small(torch.ones(1, 3)).tolist() == [[3, 3]]
