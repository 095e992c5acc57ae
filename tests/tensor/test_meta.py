"""What operators make of tensors on the device "meta": shapes, strides and dtypes, and no element. The tensors are
in test_device.py, their storages and files in test_device_files.py."""

import pytest
import torch

NO_DATA = "Cannot copy out of meta tensor; no data!"
NO_ITEM = r"Tensor\.item\(\) cannot be called on meta tensors"


def meta(*shape, dtype=torch.float32):
    return torch.empty(*shape, dtype=dtype, device="meta")


def described(x):
    return x.device.type, x.dtype, tuple(x.shape), x.stride(), x.storage_offset()


# ---- what needs elements ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: x[0].is_nonzero(), RuntimeError, NO_ITEM),
        (lambda x: [1, 2][x.long()[0]], RuntimeError, NO_ITEM),
        (lambda x: 3 in x, RuntimeError, NO_ITEM),
        (lambda x: torch.allclose(x, x), RuntimeError, NO_ITEM),
        (lambda x: x[:0].tolist(), NotImplementedError, NO_DATA),
        (lambda x: torch.ones(3).copy_(x), NotImplementedError, NO_DATA),
        (lambda x: torch.ones(3).__setitem__(0, x[0]), NotImplementedError, NO_DATA),
        (lambda x: torch.ones(3).__setitem__(slice(2), x[:2]), NotImplementedError, NO_DATA),
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
]


@pytest.mark.parametrize("call", REFUSED)
def test_tensors_of_two_devices_do_not_meet(call):
    x, y = meta(3), torch.ones(3)
    with pytest.raises(RuntimeError):
        call(x, y)
    assert described(x) == ("meta", torch.float32, (3,), (1,), 0) and y.tolist() == [1, 1, 1]


# ---- conversion ------------------------------------------------------------------------------------------------
def test_changing_the_dtype():
    x = meta(3, 2).t()
    for made, dtype in ((x.double(), torch.float64), (x.half(), torch.float16), (x.to(torch.int8), torch.int8),
                        (x.type(torch.bool), torch.bool), (x.type_as(meta(1, dtype=torch.int64)), torch.int64),
                        (x.to("meta", torch.bfloat16), torch.bfloat16), (x.cfloat(), torch.complex64)):  # fmt: skip
        assert described(made) == ("meta", dtype, (2, 3), (1, 2), 0)
    assert torch.ones(3).to(x).is_meta and torch.ones(3).to(device="meta", dtype=torch.int8).dtype == torch.int8


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
