"""What tensors say of their gradients: requires_grad, grad, is_leaf, and how they are copied, printed and exchanged."""

import copy
import pickle
import warnings

import pytest
import torch


def leaf(*size, **options):
    return torch.ones(*size, requires_grad=True, **options)


# ---- requires_grad -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.ones(2, dtype=torch.int32, requires_grad=True),
        lambda: torch.tensor([1], requires_grad=True),
        lambda: torch.randint(3, (2,), requires_grad=True),
        lambda: torch.zeros_like(torch.ones(2), dtype=torch.bool, requires_grad=True),
        lambda: torch.Tensor._make_subclass(torch.Tensor, torch.ones(2).long(), True),
    ],
)
def test_integers_require_no_gradient(make):
    with pytest.raises(RuntimeError, match="Only Tensors of floating point and complex dtype can require gradients"):
        make()


def test_setting_requires_grad():
    x = torch.ones(3)
    assert not x.requires_grad
    x.requires_grad = True
    assert x.requires_grad
    assert x.requires_grad_(False) is x
    assert not x.requires_grad
    with pytest.raises(RuntimeError, match="requires_grad must be a bool"):
        x.requires_grad = 1
    with pytest.raises(RuntimeError, match="requires_grad must be a bool"):
        del x.requires_grad
    ints = torch.ones(3, dtype=torch.int64)
    ints.requires_grad = False
    with pytest.raises(RuntimeError, match="only Tensors of floating point and complex dtype can require gradients"):
        ints.requires_grad = True
    with pytest.raises(RuntimeError, match="only Tensors of floating point dtype can require gradients"):
        ints.requires_grad_()


def test_of_computed_tensors():
    y = leaf(3) * 2
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = True
    with pytest.raises(RuntimeError, match=r"use var_no_grad = var.detach\(\)"):
        y.requires_grad = False
    with pytest.raises(RuntimeError, match=r"use var_no_grad = var.detach\(\)"):
        y.requires_grad_(False)
    assert y.requires_grad_() is y


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.tensor([1.0, 2.0], requires_grad=True),
        lambda: torch.zeros(2, requires_grad=True),
        lambda: torch.rand(2, requires_grad=True),
        lambda: torch.empty(2, dtype=torch.complex64, requires_grad=True),
        lambda: torch.ones(2).new_tensor([1, 2], requires_grad=True),
        lambda: torch.ones(2).new_zeros(2, requires_grad=True),
        lambda: torch.zeros_like(torch.ones(2), requires_grad=True),
        lambda: torch.asarray([1.0, 2.0], requires_grad=True),
        lambda: torch.frombuffer(bytearray(8), dtype=torch.float32, requires_grad=True),
        lambda: torch.linspace(0, 1, 2, requires_grad=True),
        lambda: torch.full((2,), 1.5, requires_grad=True),
    ],
)
def test_makers(make):
    x = make()
    assert x.requires_grad and x.is_leaf and x.grad_fn is None and x.grad is None
    (x * 2).sum().backward() if not x.is_complex() else (x * 2).abs().sum().backward()
    assert x.grad.shape == x.shape


def test_copies_of_recorded_tensors_are_detached():
    x = leaf(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = torch.tensor(x * 2)
    assert not made.requires_grad
    assert not torch.tensor([x.sum(), x[0]]).requires_grad
    assert torch.as_tensor(x * 2).requires_grad
    assert (x * 2).to(torch.float64).requires_grad


# ---- leaves and outputs ------------------------------------------------------------------------------------
def test_leaves():
    x = leaf(3)
    y = x * 2
    assert x.is_leaf and not y.is_leaf and torch.ones(2).is_leaf
    assert y.requires_grad and y.grad_fn.name() == "MulBackward0"
    assert [part.output_nr for part in x.split(1)] == [0, 1, 2]
    assert not y.detach().requires_grad and y.detach().is_leaf
    with pytest.raises(AttributeError):
        x.grad_fn = None


def test_bases():
    x = leaf(3, 3)
    v = x[0]
    assert v._is_view() and v._base is x and v[1:]._base is x
    assert x._base is None and not x._is_view()
    assert not x.detach()._is_view()
    assert not (x * 2)._is_view()
    with torch.no_grad():
        assert x.view(9)._base is x


# ---- grad --------------------------------------------------------------------------------------------------
def test_assigning_grad():
    x = leaf(3)
    for wrong, kind, text in [
        (1, TypeError, "assigned grad expected to be a Tensor or None but got grad of type int"),
        (x, RuntimeError, "can't assign Variable as its own grad"),
        (torch.ones(3, dtype=torch.float64), RuntimeError, "attempting to assign a gradient with dtype"),
        (torch.ones(2), RuntimeError, r"attempting to assign a gradient of size '\[2\]' to a tensor of size '\[3\]'"),
        (torch.ones(3, device="meta"), RuntimeError, "attempting to assign a gradient with device type 'meta'"),
    ]:
        with pytest.raises(kind, match=text):
            x.grad = wrong
    g = torch.full((3,), 2.0)
    x.grad = g
    assert x.grad is g
    x.grad = None
    assert x.grad is None
    x.grad = g
    del x.grad
    assert x.grad is None


def test_grad_by_its_other_name():
    x, g = leaf(3), torch.ones(3)
    x._grad = g
    assert x.grad is g and x._grad is g
    for wrong, kind in [(1, TypeError), (x, RuntimeError), (torch.ones(2), RuntimeError)]:
        with pytest.raises(kind, match="assign"):
            x._grad = wrong
    assert x.grad is g
    del x._grad
    assert x.grad is None


def test_grad_of_an_output_is_a_warning():
    y = leaf(3) * 2
    with pytest.warns(UserWarning, match="The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"):
        assert y.grad is None
    y.retain_grad()
    assert y.retains_grad
    y.sum().backward()
    assert y.grad.tolist() == [1, 1, 1]


def test_retain_grad():
    x = leaf(2)
    x.retain_grad()
    assert not x.retains_grad
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad=False"):
        torch.ones(2).retain_grad()
    y = x * 2
    y.retain_grad()
    y.retain_grad()
    y.add_(1)  # what is retained is the gradient of the tensor as it is now
    (y * y).sum().backward()
    assert y.grad.tolist() == [6, 6]


def test_detach_():
    x = leaf(2)
    y = x * 2
    assert y.detach_() is y
    assert y.is_leaf and not y.requires_grad and y.grad_fn is None
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        (x * 2)[0].detach_()
    z = x * 3
    assert torch.detach_(z) is z and not z.requires_grad


def test_data():
    x = leaf(3)
    x.data = torch.zeros(4)
    assert x.shape == (4,) and x.requires_grad
    with pytest.raises(RuntimeError, match="data set to a tensor that requires gradients must be floating point"):
        x.data = torch.ones(4, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="incompatible tensor type"):
        x.data = torch.ones(4, device="meta")
    assert not x.data.requires_grad
    x.data.add_(1)
    assert x.tolist() == [1, 1, 1, 1] and x._version == 0


# ---- elements ----------------------------------------------------------------------------------------------
def test_numbers():
    y = leaf(3).mul(2).sum()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (float(y), int(y), bool(y), y.item(), f"{y:.1f}", y.tolist()) == (6.0, 6, True, 6.0, "6.0", 6.0)


def test_numpy():
    numpy = pytest.importorskip("numpy")
    y = leaf(3) * 2
    for call in (y.numpy, lambda: numpy.asarray(y), lambda: numpy.sin(y)):
        with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad. Use tensor.detach"):
            call()
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            assert [v for t in (y, leaf(3)) for v in t.numpy().tolist()] == [2, 2, 2, 1, 1, 1]
            assert numpy.asarray(y).tolist() == [2, 2, 2]
    assert y.numpy(force=True).tolist() == [2, 2, 2]
    assert y.detach().numpy().tolist() == [2, 2, 2]


def test_dlpack():
    with pytest.raises(BufferError, match="Can't export tensors that require gradient"):
        leaf(3).__dlpack__()


@pytest.mark.parametrize(("name", "count"), [("apply_", 1), ("map_", 2), ("map2_", 3)])
def test_python_per_element(name, count):
    for recorded in range(count):
        tensors = [torch.zeros(3, requires_grad=i == recorded) for i in range(count)]
        for mode in (torch.enable_grad, torch.no_grad):
            with mode(), pytest.raises(RuntimeError, match=rf"Can't call {name}\(\) on Variable that requires grad"):
                getattr(tensors[0], name)(*tensors[1:], lambda *a: 1.0)
        assert tensors[0].tolist() == [0, 0, 0]


# ---- copies, pickles, texts --------------------------------------------------------------------------------
def test_deepcopy():
    x = leaf(3)
    x.grad = torch.full((3,), 2.0)
    again = copy.deepcopy(x)
    assert again.requires_grad and again.is_leaf and again.grad.tolist() == [2, 2, 2] and again.grad is not x.grad
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(x * 2)


def test_copy():
    y = leaf(3) * 2
    again = copy.copy(y)
    assert again.requires_grad and again.is_leaf and again.data_ptr() == y.data_ptr()


@pytest.mark.parametrize("requires_grad", [True, False])
def test_pickle(requires_grad):
    x = torch.arange(3.0, requires_grad=requires_grad)
    again = pickle.loads(pickle.dumps(x))
    assert again.requires_grad == requires_grad and again.is_leaf and torch.equal(again, x)


def test_save(tmp_path):
    x = torch.arange(3.0, requires_grad=True)
    torch.save({"x": x, "y": x * 2}, tmp_path / "file")
    again = torch.load(tmp_path / "file")
    assert again["x"].requires_grad and again["x"].is_leaf and again["y"].requires_grad and again["y"].is_leaf


def test_hooks_are_not_pickled():
    x = leaf(3)
    x.register_hook(print)
    with pytest.warns(UserWarning, match="will not be serialized"):
        pickle.dumps(x)
    y = leaf(3)
    y.register_hook(torch.utils.hooks.unserializable_hook(lambda g: g))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pickle.dumps(y)


def test_text():
    x = leaf(3)
    assert repr(x) == "tensor([1., 1., 1.], requires_grad=True)"
    assert repr(x * 2) == "tensor([2., 2., 2.], grad_fn=<MulBackward0>)"
    assert repr(x.sum()) == "tensor(3., grad_fn=<SumBackward0>)"
    assert repr(torch.ones(0, requires_grad=True)) == "tensor([], requires_grad=True)"
    assert repr(leaf(1, dtype=torch.float64)) == "tensor([1.], dtype=torch.float64, requires_grad=True)"
    assert "grad_fn" not in repr((x * 2).detach())


def test_type_of_values():
    from torch.autograd import Variable

    x = torch.ones(2)
    assert isinstance(x, Variable)
    v = Variable(x, requires_grad=True)
    assert type(v) is torch.Tensor and v.requires_grad and not x.requires_grad and v.data_ptr() == x.data_ptr()
    with pytest.raises(TypeError, match="Variable data has to be a tensor, but got int"):
        Variable(3)
    with pytest.raises(RuntimeError, match="is deprecated, use torch.tensor"):
        torch.autograd.variable(1)


def test_torch_function():
    class Mine(torch.Tensor):
        pass

    x = torch.ones(3).as_subclass(Mine).requires_grad_()
    y = x * 2
    assert type(y) is Mine and y.requires_grad
    y.sum().backward()
    assert x.grad.tolist() == [2, 2, 2]
    seen = []

    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(getattr(func, "__name__", ""))
            return func(*args, **(kwargs or {}))

    plain = leaf(2)
    with Mode():
        (plain * 2).sum().backward()
    assert {"sum", "backward"} <= set(seen)
    assert plain.grad.tolist() == [2, 2]


@pytest.mark.parametrize("make", [lambda **o: torch.arange(1, **o), lambda **o: torch.zeros(1, **o)])
def test_requires_grad_of_integers_changes_nothing(make):
    given = torch.tensor([5])
    with pytest.raises(RuntimeError, match="Only Tensors of floating point and complex dtype can require gradients"):
        make(out=given, requires_grad=True)
    assert given.item() == 5 and given._version == 0
    assert make(out=torch.zeros(1), requires_grad=True).requires_grad
