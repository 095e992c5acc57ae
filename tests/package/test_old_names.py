"""Names of old that PyTorch 2.13 still has."""

import typing
import warnings

import pytest
import torch
import torch.nn as nn

OURS = not hasattr(torch._C, "_jit_init")


def test_torch_of_torch():
    assert torch.torch is torch and torch._C._get_tracing_state() is None


def test_the_type_of_accumulators():
    kind = torch._C._functions.AccumulateGrad
    leaf = torch.ones(1, requires_grad=True)
    node = leaf.exp().grad_fn
    assert type(node.next_functions[0][0]) is kind and not isinstance(node, kind)
    assert kind.__name__ == "AccumulateGrad" and kind.__module__ == "builtins"
    assert node.next_functions[0][0].variable is leaf
    with pytest.raises((TypeError, RuntimeError)):
        kind()


def test_functions_by_their_other_names():
    assert torch._C._VariableFunctions.add(torch.ones(1), 1) == 2


# ---- resize, volatile --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: x.resize(3, 2), [[0, 1], [2, 3], [4, 5]]),
        (lambda x: x.resize(6), [0, 1, 2, 3, 4, 5]),
        (lambda x: x.t().resize(6), [0, 3, 1, 4, 2, 5]),
        (lambda x: x.resize_as(torch.ones(3, 2)), [[0, 1], [2, 3], [4, 5]]),
    ],
)
def test_resize(call, expected):
    x = torch.arange(6).view(2, 3)
    with pytest.warns(UserWarning, match="non-inplace resize(_as)? is deprecated"):
        assert call(x).tolist() == expected
    assert x.shape == (2, 3)


@pytest.mark.filterwarnings("ignore")
def test_resize_is_a_view_and_recorded():
    x = torch.zeros(2, 3)
    x.resize(6)[0] = 1
    assert x[0, 0] == 1
    leaf = torch.ones(2, 3, requires_grad=True)
    (leaf.resize(6) * torch.arange(6.0)).sum().backward()
    assert leaf.grad.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("sizes", [(7,), (-1, 2), ()])
def test_resize_keeps_the_number_of_elements(sizes):
    wanted = "x".join(map(str, sizes))
    with pytest.raises(RuntimeError, match=f"requested resize to {wanted} .*but the given tensor has a size of 2x3 "):
        torch.zeros(2, 3).resize(*sizes)


def test_volatile():
    x = torch.ones(1)
    with pytest.warns(UserWarning, match="volatile was removed"):
        assert x.volatile is False
    with pytest.warns(UserWarning, match="now has no effect. Use `with torch.no_grad"):
        x.volatile = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert x.volatile is False and isinstance(torch.Tensor.volatile, object) and "volatile" not in vars(x)


def test_saved_variables():
    seen = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            with pytest.warns(DeprecationWarning, match="'saved_variables' is deprecated; use 'saved_tensors'"):
                seen.extend(ctx.saved_variables)
            return grad

    leaf = torch.ones(1, requires_grad=True)
    Double.apply(leaf).backward()
    assert seen[0] is leaf


def test_source_change_warning():
    assert issubclass(torch.serialization.SourceChangeWarning, Warning)


def test_sleep():
    if torch.cuda.is_available():
        torch.cuda._sleep(1000)
        torch.cuda.synchronize()
    else:
        with pytest.raises((AssertionError, AttributeError)):  # PyTorch: no torch._C._cuda_sleep
            torch.cuda._sleep(1000)


# ---- annotations -------------------------------------------------------------------------------------------
def test_annotations():
    assert nn.Module.__annotations__["training"] is bool
    assert typing.get_type_hints(nn.CrossEntropyLoss())["ignore_index"] is int


# ---- order of dimensions -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("make", "checked", "expected"),
    [
        (lambda: torch.ones(2, 3, 4, 5), True, (0, 1, 2, 3)),
        (lambda: torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last), True, (0, 2, 3, 1)),
        (lambda: torch.ones(3, 4).t(), [torch.contiguous_format], (1, 0)),
        (lambda: torch.ones(2, 1, 4, 5), False, (0, 1, 2, 3)),
        (lambda: torch.ones(2, 1, 4, 5), True, None),
        (lambda: torch.ones(2, 1, 4, 5), [torch.contiguous_format, torch.channels_last], None),
        (lambda: torch.ones(3, 1), True, None),
        (lambda: torch.ones(3, 1), [torch.contiguous_format], (0, 1)),
        (lambda: torch.ones(2, 0), True, None),
        (lambda: torch.ones(3).expand(2, 3), [torch.contiguous_format], None),
        (lambda: torch.ones(()), True, ()),
    ],
)
def test_ambiguous_orders_of_dimensions(make, checked, expected):
    if expected is None:
        with pytest.raises(RuntimeError, match="does not have unique dim order"):
            make().dim_order(ambiguity_check=checked)
    else:
        assert make().dim_order(ambiguity_check=checked) == expected


@pytest.mark.parametrize("wrong", [3, "ABC", (torch.contiguous_format,)])
def test_ambiguity_check_is_a_bool_or_formats(wrong):
    with pytest.raises(TypeError, match="ambiguity_check argument must be a bool or a list of memory formats"):
        torch.ones(2).dim_order(ambiguity_check=wrong)


# ---- storages as tensors -----------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [torch.asarray, torch.as_tensor])
def test_tensors_over_storages(make):
    data = torch.tensor([1.0, 2.0])
    untyped = data.untyped_storage()
    over = make(untyped, dtype=torch.float32)
    assert over.tolist() == [1, 2] and over.data_ptr() == data.data_ptr()
    assert make(untyped, dtype=torch.int32).tolist() == [1065353216, 1073741824]
    assert make(untyped).dtype == torch.int64 and make(untyped).shape == (1,)
    assert make(torch.UntypedStorage(7), dtype=torch.float32).shape == (1,)
    assert make(torch.FloatStorage([3, 4])).tolist() == [3, 4]
    with pytest.raises(RuntimeError, match="Expected a Storage of type Int or an UntypedStorage, but got Float"):
        make(torch.FloatStorage(2), dtype=torch.int32)


@pytest.mark.parametrize("make", [torch.asarray, torch.as_tensor, torch.tensor])
def test_tensors_over_empty_storages(make):
    assert make(torch.UntypedStorage(0), dtype=torch.float32).shape == (0,)
    empty = make(torch.UntypedStorage(0))
    assert empty.dtype == torch.float32 and empty.shape == (0,)


@pytest.mark.skipif(not OURS, reason="PyTorch shares where a copy is asked for, and refuses to share")
def test_copies_of_storages():
    data = torch.tensor([1.0, 2.0])
    untyped = data.untyped_storage()
    copied = torch.asarray(untyped, dtype=torch.float32, copy=True)
    assert copied.tolist() == [1, 2] and copied.data_ptr() != data.data_ptr()
    assert torch.asarray(untyped, dtype=torch.float32, copy=False).data_ptr() == data.data_ptr()
    assert torch.tensor(untyped, dtype=torch.float32).data_ptr() != data.data_ptr()
    assert torch.asarray(torch.UntypedStorage(8, device="meta"), dtype=torch.float32).shape == (2,)
