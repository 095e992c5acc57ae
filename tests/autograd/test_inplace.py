"""Writes into recorded tensors: versions, views, and what may not be written."""

import pytest
import torch


def leaf(*size, **options):
    return torch.ones(*size, requires_grad=True, **options)


def test_leaves():
    x = leaf(3)
    for call in (
        lambda: x.add_(1),
        lambda: x.zero_(),
        lambda: torch.relu_(x),
        lambda: x.__imul__(2),
        lambda: x.normal_(),
        lambda: x.copy_(torch.zeros(3)),
    ):
        with pytest.raises(
            RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"
        ):
            call()
    for call in (lambda: x[0:1].add_(1), lambda: x.__setitem__(0, 1.0), lambda: x.view(3).zero_()):
        with pytest.raises(
            RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place"
        ):
            call()
    assert x.tolist() == [1, 1, 1]


WRITES_OF_A_VIEW = {
    "add_": lambda view: view.add_(5),
    "zero_": lambda view: view.zero_(),
    "by a recorded tensor": lambda view: view.mul_(leaf(3)),
    "by index": lambda view: view.__setitem__(0, 4.0),
    "out of a part": lambda view: view[1:].add_(5),
    "out": lambda view: torch.add(torch.ones(3), 1, out=view),
    "resize_": lambda view: view.resize_(3),
}


@pytest.mark.parametrize("write", WRITES_OF_A_VIEW.values(), ids=WRITES_OF_A_VIEW)
def test_a_view_made_before_its_base_became_a_leaf(write):
    x = torch.zeros(3)
    view = x[:]
    x.requires_grad = True
    assert view.requires_grad and view.is_leaf and view.grad_fn is None and (view * 2).requires_grad
    with pytest.raises(RuntimeError, match="requires? grad"):
        write(view)
    assert x.tolist() == [0, 0, 0] and x._version == 0
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place"):
        view.add_(5)
    with torch.no_grad():
        view.add_(5)
    assert x.tolist() == [5, 5, 5]
    x.requires_grad = False
    view.add_(1)
    assert not view.requires_grad and x.tolist() == [6, 6, 6]


def test_other_tensors_of_the_memory_of_a_leaf():
    x = torch.zeros(3)
    view, detached, bits = x[:], x.detach(), x.view(torch.int32)
    x.requires_grad = True
    assert not (detached.requires_grad or bits.requires_grad or x.data[:].requires_grad)
    detached.add_(1)
    bits.add_(0)
    assert x.tolist() == [1, 1, 1]
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        view.detach_()
    y = torch.zeros(3)
    y[:].requires_grad = True  # a leaf that is a view asks for itself alone
    y.add_(1)
    assert not y.requires_grad


def test_chains():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.mul_(3)
    y.add_(x)
    y.exp_()
    y.sum().backward()
    assert torch.allclose(x.grad, 4 * (4 * x.detach()).exp())


def test_a_plain_tensor_becomes_recorded():
    x = leaf(3)
    y = torch.zeros(3)
    y.add_(x * 2)
    assert y.requires_grad and not y.is_leaf
    y.sum().backward()
    assert x.grad.tolist() == [2, 2, 2]
    z = torch.zeros(3)
    z.copy_(x)
    z.sum().backward()
    assert x.grad.tolist() == [3, 3, 3]


def test_overwritten_values_are_refused():
    x = leaf(3)
    y = x * 2
    z = y * y
    y.add_(1)
    with pytest.raises(
        RuntimeError,
        match=r"one of the variables needed for gradient computation has been modified by an inplace operation: "
        r"\[torch.FloatTensor \[3\]\], which is output 0 of Add.*, is at version 1; expected version 0 instead. Hint: ",
    ):
        z.sum().backward()
    y = x.clone()
    z = y.exp()
    z.add_(1)
    with pytest.raises(RuntimeError, match="which is output 0 of Exp.*, is at version 1; expected version 0"):
        z.sum().backward()


def test_writes_into_data_are_not_seen():
    x = leaf(3)
    y = x * 2
    z = y * y
    y.data.add_(1)
    z.sum().backward()
    assert x.grad.tolist() == [12, 12, 12]


def test_detached_tensors_share_versions():
    x = leaf(3)
    y = x * 2
    z = y * y
    d = y.detach()
    d.zero_()
    assert not d.requires_grad and y._version == 1 and y.grad_fn.name() == "MulBackward0"
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


# ---- views -------------------------------------------------------------------------------------------------
def test_a_write_into_a_view_is_one_into_the_base():
    x = leaf(4)
    y = x * 2
    y[1:3].mul_(5)
    assert y.grad_fn.name().endswith("CopySlices")
    y.sum().backward()
    assert x.grad.tolist() == [2, 10, 10, 2]


def test_a_write_into_the_base_is_one_into_views():
    x = leaf(4)
    y = x * 2
    v = y[1:3]
    y.mul_(3)
    assert v.requires_grad
    v.sum().backward()
    assert x.grad.tolist() == [0, 6, 6, 0]


def test_views_of_views():
    x = leaf(2, 3)
    y = x * 1
    v = y.t()[1]
    v.mul_(7)
    w = y.view(6)
    w[5] = 0
    y.sum().backward()
    assert x.grad.tolist() == [[1, 7, 1], [1, 7, 0]]
    assert y.tolist() == [[1, 7, 1], [1, 7, 0]]


def test_a_view_that_was_written_is_used_itself():
    x = leaf(4)
    y = x * 2
    v = y[:2]
    v.mul_(x[:2] * 3)
    (v * 2).sum().backward()
    assert x.grad.tolist() == [2 * (2 * 3 + 2 * 3), 24, 0, 0]


def test_setitem():
    x, values = leaf(3), torch.tensor([5.0, 6.0], requires_grad=True)
    y = x * 2
    y[1:] = values
    y[0] = y[0].clone() * values[0]
    y.sum().backward()
    assert x.grad.tolist() == [10, 0, 0] and values.grad.tolist() == [1 + 2, 1]
    y = x * 2
    y[0] = y[0] * values[0]  # the factor is a view of what is written
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_masks_and_indices():
    x = leaf(4)
    y = x * 2
    y[torch.tensor([True, False, False, True])] = 0
    y[torch.tensor([1])] += x[:1] * 3
    y.sum().backward()
    assert x.grad.tolist() == [3, 2, 2, 0]


def test_a_plain_base_becomes_recorded_through_a_view():
    x = leaf(2)
    base = torch.zeros(4)
    view = base[1:3]
    view.copy_(x * 3)
    assert base.requires_grad and not base.is_leaf
    (base * torch.arange(4.0)).sum().backward()
    assert x.grad.tolist() == [3, 6]


@pytest.mark.parametrize("make", [lambda y: y.split([1, 2])[0], lambda y: y.unbind()[0], lambda y: y.chunk(2)[0]])
def test_views_of_a_call_with_several(make):
    part = make(leaf(3) * 2)
    with pytest.raises(
        RuntimeError, match="(?s)is a view and is being modified inplace. This view is the output of a function"
    ):
        part.add_(1)


def test_views_made_without_recording():
    x = leaf(3)
    with torch.no_grad():
        v = x[0:1]
    with pytest.raises(
        RuntimeError, match="A view was created in no_grad mode and is being modified inplace with grad mode"
    ):
        v.add_(leaf(1))
    for write in (lambda t: t.add_(1), lambda t: t.zero_(), lambda t: t.copy_(torch.ones(1))):
        with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
            write(v)
    assert x.tolist() == [1, 1, 1]
    with torch.no_grad():
        v.add_(1)
    assert x.tolist() == [2, 1, 1]


def test_writes_without_recording_into_outputs():
    x = leaf(3)
    y = x * 2
    with torch.no_grad():
        y[0] = 100
        y.mul_(2)
    y.sum().backward()
    assert x.grad.tolist() == [2, 2, 2] and y.tolist() == [200, 4, 4]


def test_complex_parts():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    z = torch.complex(x, x)
    z.real.mul_(3)
    z.imag = x * 5
    (z.real.sum() + z.imag.sum()).backward()
    assert x.grad.tolist() == [8, 8]


def test_fill_and_zero_cut_the_gradient():
    x = leaf(3)
    y = x * 2
    y.zero_()
    y.add_(1)
    y.sum().backward()
    assert x.grad is None or x.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "reshape",
    [
        lambda t: t.t_(),
        lambda t: t.transpose_(0, 1),
        lambda t: t.swapaxes_(-1, 0),
        lambda t: t.unsqueeze_(1),
        lambda t: t.squeeze_(),
        lambda t: t.as_strided_((2,), (3,)),
    ],
)
@pytest.mark.parametrize(
    "make", [lambda t: t[1:], lambda t: t.transpose(0, 1), lambda t: t[:, :1], lambda t: t.clone()]
)
def test_views_that_lie_otherwise(make, reshape):
    """Only how the view lies changes: nothing is written, and its elements are still the base's."""
    weights = torch.arange(12, dtype=torch.double).reshape(4, 3).sin()

    def slopes(change):
        x = torch.ones(4, 3, dtype=torch.double, requires_grad=True)
        base = x * weights
        view = make(base)
        change(view)
        (view.sin() * torch.arange(view.numel()).reshape(view.shape)).sum().backward()
        return x.grad, view

    found, view = slopes(reshape)
    assert view.grad_fn is not None
    shape, stride, offset = view.shape, view.stride(), view.storage_offset()
    x = torch.ones(4, 3, dtype=torch.double, requires_grad=True)
    same = make(x * weights).as_strided(shape, stride, offset)
    (same.sin() * torch.arange(same.numel()).reshape(shape)).sum().backward()
    assert torch.equal(found, x.grad)


def test_plain_views_made_without_recording():
    x = torch.ones(3)
    with torch.no_grad():
        v = x[:2]
    v.add_(1)
    assert x.tolist() == [2, 2, 1]
    x.mul_(leaf(3))
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        v.add_(1)
