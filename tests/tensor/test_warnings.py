"""What is said to the user without an error: outputs that are resized, deviations of too few elements, `x.T`."""

import warnings

import pytest
import torch

A = torch.arange(6.0).view(2, 3)
INDEX = torch.tensor([1])


def said(function):
    """The texts of the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    assert all(issubclass(w.category, UserWarning) for w in caught)
    return [str(w.message) for w in caught]


def longs():
    return torch.ones(5, dtype=torch.int64)


# ---- out= --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (lambda out: torch.add(A, A, out=out), "[2, 3]"),
        (lambda out: torch.exp(A, out=out), "[2, 3]"),
        (lambda out: torch.sum(A, 0, out=out), "[3]"),
        (lambda out: torch.var(A, 0, out=out), "[3]"),
        (lambda out: torch.cat([A, A], out=out), "[4, 3]"),
        (lambda out: torch.stack([A, A], out=out), "[2, 2, 3]"),
        (lambda out: torch.index_select(A, 0, INDEX, out=out), "[1, 3]"),
        (lambda out: torch.masked_select(A, A > 2, out=out), "[3]"),
        (lambda out: torch.mm(A, A.t(), out=out), "[2, 2]"),
        (lambda out: torch.matmul(A, A.t(), out=out), "[2, 2]"),
        (lambda out: torch.dot(A[0], A[0], out=out), "[]"),
        (lambda out: torch.cumsum(A, 0, out=out), "[2, 3]"),
        (lambda out: torch.tril(A, out=out), "[2, 3]"),
        (lambda out: torch.diag(A, out=out), "[2]"),
        (lambda out: torch.histc(A, 3, out=out), "[3]"),
        (lambda out: torch.linalg.inv(torch.eye(2), out=out), "[2, 2]"),
        (lambda out: torch.where(A > 1, A, A, out=out), "[2, 3]"),
        (lambda out: torch.outer(A[0], A[0], out=out), "[3, 3]"),
        (lambda out: torch.vdot(A[0], A[0], out=out), "[]"),
    ],
)
def test_a_resized_output_is_worth_a_warning(function, shape):
    texts = said(lambda: function(torch.ones(5)))
    assert len(texts) == 1 and texts[0].startswith(
        f"An output with one or more elements was resized since it had shape [5], which does not match the required "
        f"output shape {shape}."
    )
    assert not said(lambda: function(torch.ones(0)))
    right = torch.empty(0)
    function(right)
    again = torch.ones(right.shape)
    assert not said(lambda: function(again)) and torch.equal(right, again)


def test_each_of_several_outputs():
    assert len(said(lambda: torch.max(A, 0, out=(torch.ones(5), longs())))) == 2
    assert len(said(lambda: torch.sort(A, 0, out=(torch.ones(0), longs())))) == 1
    assert not said(lambda: torch.topk(A, 1, out=(torch.ones(2, 1), torch.ones(0, dtype=torch.int64))))


def test_what_is_made_of_nothing_resizes_silently():
    for function in (
        lambda: torch.zeros(3, out=torch.ones(5)),
        lambda: torch.full((3,), 2.0, out=torch.ones(5)),
        lambda: torch.linspace(0, 1, 3, out=torch.ones(5)),
        lambda: torch.eye(2, out=torch.ones(5)),
        lambda: torch.rand(2, out=torch.ones(5)),
        lambda: torch.randint(0, 1, (2,), out=torch.ones(5)),
        lambda: torch.randperm(1, out=longs()),
        lambda: torch.bernoulli(A / 9, out=torch.ones(5)),
        lambda: torch.multinomial(torch.ones(3), 1, out=longs()),
        lambda: torch.normal(0.0, 1.0, (2,), out=torch.ones(5)),
    ):
        assert not said(function)
    (text,) = said(lambda: torch.arange(3, out=longs()))
    assert text.startswith(
        "The number of elements in the out tensor of shape [5] is 5 which does not match the computed"
    )
    assert not said(lambda: torch.arange(5, out=longs()))


def test_a_warning_may_be_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="was resized"):
            torch.add(A, A, out=torch.ones(5))
        with pytest.raises(UserWarning, match="degrees of freedom"):
            torch.ones(1).std()
        assert torch.add(A, 1).shape == (2, 3)


# ---- degrees of freedom ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["var", "std", "var_mean", "std_mean"])
def test_deviations_of_too_few(name):
    function = getattr(torch, name)
    text = f"{name}(): degrees of freedom is <= 0"
    for call in (
        lambda: function(torch.ones(1)),
        lambda: function(torch.ones(0)),
        lambda: function(torch.ones(2, 1), 1),
        lambda: function(torch.ones(0, 3), 0),
        lambda: function(torch.ones(2, 1), -1, keepdim=True),
        lambda: function(torch.ones(3), 0, correction=3),
        lambda: function(torch.ones(3), correction=5),
    ):
        texts = said(call)
        assert len(texts) == 1 and texts[0].startswith(text)
    for call in (
        lambda: function(torch.ones(2)),
        lambda: function(torch.ones(3), 0, unbiased=False),
        lambda: function(torch.ones(1), correction=0),
        lambda: function(torch.ones(2, 1), 0),
    ):
        assert not said(call)


def test_methods_and_cov_say_it_too():
    for function in (lambda: torch.ones(1).var(), lambda: torch.ones(1).std(0), lambda: torch.cov(torch.ones(3, 1))):
        (text,) = said(function)
        assert "degrees of freedom is <= 0" in text


# ---- older orders of arguments -----------------------------------------------------------------------------
OLD = (
    (lambda: torch.add(A, 2, A), "add(Tensor input, Number alpha, Tensor other, *, Tensor out = None)"),
    (lambda: A.add(2, A), "add(Number alpha, Tensor other)"),
    (lambda: torch.eye(2).addmm_(1, A, A.t()), "addmm_(Number beta, Tensor mat1, Tensor mat2)"),
    (
        lambda: torch.addcmul(A, 2, A, A),
        "addcmul(Tensor input, Number value, Tensor tensor1, Tensor tensor2, *, Tensor out = None)",
    ),
)


@pytest.mark.parametrize(("function", "signature"), OLD)
def test_an_old_order_of_arguments_is_deprecated(function, signature):
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        name = signature.partition("(")[0]
        for _ in range(2):
            (text,) = said(function)
            assert text.startswith(
                f"This overload of {name} is deprecated:\n\t{signature}\n"
                f"Consider using one of the following signatures instead:\n\t{name}("
            )
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(UserWarning, match="deprecated"):
                function()
    finally:
        torch.set_warn_always(before)
    function()
    assert not said(function)  # once is enough


def test_warn_always_is_a_bool():
    for wrong in (1, None, "x"):
        with pytest.raises(RuntimeError, match="setWarnOnlyOnce expects a bool, but got"):
            torch.set_warn_always(wrong)
    assert torch.is_warn_always_enabled() is False
