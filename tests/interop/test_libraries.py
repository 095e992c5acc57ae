"""Libraries of others on tensors of ours: einops, opt_einsum, array-api-compat. Their answers are NumPy's."""

import array_api_compat
import einops
import numpy as np
import opt_einsum
import pytest
import torch
from array_api_compat import torch as xp

ours = pytest.mark.skipif(not hasattr(torch._C, "_storage_filename"), reason="of ours alone")


def pair(*shape, seed=0):
    """The same random numbers as an array and as a tensor."""
    array = np.random.default_rng(seed).standard_normal(shape)
    return array, torch.from_numpy(array.copy())


def same(tensor, array):
    assert isinstance(tensor, torch.Tensor) and tuple(tensor.shape) == array.shape
    assert tensor.dtype == torch.from_numpy(np.array(array)).dtype
    assert np.allclose(tensor.numpy(), array, rtol=1e-12, atol=1e-12)


# ---- einops ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("pattern", "shape", "sizes"),
    [
        ("b c h w -> b h w c", (2, 3, 4, 5), {}),
        ("b c h w -> b (c h w)", (2, 3, 4, 5), {}),
        ("b c (h h2) (w w2) -> b (c h2 w2) h w", (2, 3, 4, 6), {"h2": 2, "w2": 3}),
        ("(a b) c -> c b a", (6, 4), {"a": 2}),
        ("a b -> a 1 b ()", (2, 3), {}),
        ("... w -> w ...", (2, 3, 4), {}),
        ("a -> a", (0,), {}),
        ("->", (), {}),
    ],
)
def test_rearrange(pattern, shape, sizes):
    array, tensor = pair(*shape)
    result = einops.rearrange(tensor, pattern, **sizes)
    same(result, einops.rearrange(array, pattern, **sizes))
    if result.is_contiguous():
        assert result.data_ptr() == tensor.data_ptr() or result.numel() == 0 or "h2" in pattern


@pytest.mark.parametrize("reduction", ["sum", "mean", "max", "min", "prod"])
@pytest.mark.parametrize(
    ("pattern", "sizes"),
    [("b c h w -> b c", {}), ("b c (h h2) w -> b c h w", {"h2": 2}), ("b c h w -> c", {}), ("b ... -> ...", {})],
)
def test_reduce(pattern, sizes, reduction):
    array, tensor = pair(2, 3, 4, 5)
    same(einops.reduce(tensor, pattern, reduction, **sizes), einops.reduce(array, pattern, reduction, **sizes))


def test_repeat_and_stack():
    array, tensor = pair(3, 4)
    same(einops.repeat(tensor, "h w -> h (w 2) c", c=3), einops.repeat(array, "h w -> h (w 2) c", c=3))
    same(einops.rearrange([tensor, tensor], "b h w -> h b w"), einops.rearrange([array, array], "b h w -> h b w"))
    packed, shapes = einops.pack([tensor, tensor[0]], "* w")
    same(packed, np.concatenate([array, array[:1]]))
    assert [tuple(part.shape) for part in einops.unpack(packed, shapes, "* w")] == [(3, 4), (4,)]
    assert einops.parse_shape(tensor, "h _") == {"h": 3}


def test_einops_einsum_and_errors():
    (a, ta), (b, tb) = pair(3, 4), pair(4, 5, seed=1)
    same(einops.einsum(ta, tb, "i j, j k -> k i"), (a @ b).T)
    with pytest.raises(einops.EinopsError, match="Shape mismatch"):
        einops.rearrange(ta, "(a b) c -> a b c", a=2)
    assert einops.asnumpy(ta) is not None and einops.asnumpy(ta).tolist() == a.tolist()


# ---- opt_einsum --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("ij,jk,kl->il", [(2, 30), (30, 4), (4, 50)]),
        ("ij,jk,kl,lm,mi->", [(2, 3), (3, 4), (4, 5), (5, 6), (6, 2)]),
        ("bij,bjk,bk->bi", [(2, 3, 4), (2, 4, 5), (2, 5)]),
        ("ii,ij->j", [(3, 3), (3, 4)]),
        ("a,b,c->cab", [(2,), (3,), (4,)]),
    ],
)
def test_contractions(equation, shapes):
    arrays, tensors = zip(*(pair(*shape, seed=i) for i, shape in enumerate(shapes)))
    expected = np.einsum(equation, *arrays)
    same(opt_einsum.contract(equation, *tensors), np.asarray(expected))
    same(opt_einsum.contract(equation, *tensors, backend="torch"), np.asarray(expected))
    same(torch.einsum(equation, *tensors), np.asarray(expected))
    expression = opt_einsum.contract_expression(equation, *shapes)
    same(expression(*tensors), np.asarray(expected))


def test_constants_and_sharing():
    (a, ta), (b, tb) = pair(3, 4), pair(4, 5, seed=1)
    expression = opt_einsum.contract_expression("ij,jk->ik", ta, (4, 5), constants=[0])
    same(expression(tb, backend="torch"), a @ b)
    with opt_einsum.shared_intermediates():
        same(opt_einsum.contract("ij,jk->ik", ta, tb), a @ b)


@ours
def test_einsum_takes_the_cheaper_order(monkeypatch):
    """From left to right, a product on the way has 90,000 elements."""
    assert torch.backends.opt_einsum.is_available() and torch.backends.opt_einsum.enabled
    products, bmm = [], torch.bmm
    monkeypatch.setattr(torch, "bmm", lambda a, b: products.append(bmm(a, b)) or products[-1])
    left, right, small = torch.rand(300, 2), torch.rand(2, 300), torch.rand(300, 2)
    result = torch.einsum("ij,jk,kl->il", left, right, small)
    assert torch.allclose(result, left @ (right @ small))
    assert [product.numel() for product in products] == [4, 600]
    with torch.backends.opt_einsum.flags(enabled=False):
        products.clear()
        assert torch.allclose(torch.einsum("ij,jk,kl->il", left, right, small), result)
        assert [product.numel() for product in products] == [90_000, 600]


def test_einsum_asks_as_it_is_told(monkeypatch):
    asked = []
    monkeypatch.setattr(
        opt_einsum,
        "contract_path",
        lambda *args, original=opt_einsum.contract_path, **kwargs: asked.append(kwargs) or original(*args, **kwargs),
    )
    operands = torch.rand(2, 3), torch.rand(3, 4), torch.rand(4, 1)
    expected = operands[0] @ operands[1] @ operands[2]

    def compute():
        asked.clear()
        assert torch.allclose(torch.einsum("ij,jk,kl->il", *operands), expected)
        return [kwargs["optimize"] for kwargs in asked]

    assert compute() == ["auto"]
    with torch.backends.opt_einsum.flags(strategy="optimal"):
        assert compute() == ["optimal"]
    with torch.backends.opt_einsum.flags(enabled=False):
        assert compute() == [] and not torch.backends.opt_einsum.enabled
    torch.einsum("ij,jk->ik", *operands[:2])
    assert compute() == ["auto"]
    with pytest.raises(ValueError, match="nope"), torch.backends.opt_einsum.flags(strategy="nope"):
        raise AssertionError("entered")


def test_einsum_of_three_that_broadcasts():
    (a, ta), (b, tb), (c, tc) = pair(3, 1), pair(1, 4, seed=1), pair(4, 5, seed=2)
    same(torch.einsum("...ij,jk,kl", ta, tb, tc), a @ b @ c)
    same(torch.einsum("bij,bjk,bkl->bil", ta.expand(2, 3, 1), tb[None], tc[None]), np.stack([a @ b @ c] * 2))


# ---- array-api-compat --------------------------------------------------------------------------------------
def test_namespace():
    tensor = torch.ones(2)
    assert array_api_compat.is_torch_array(tensor) and array_api_compat.is_array_api_obj(tensor)
    assert array_api_compat.array_namespace(tensor) is xp
    assert array_api_compat.device(tensor) == torch.device("cpu") and array_api_compat.size(tensor) == 2
    assert array_api_compat.to_device(tensor, "cpu") is tensor
    assert set(dir(xp)) >= {"asarray", "astype", "linalg", "fft", "unique_all", "concat", "permute_dims"}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("sum", {}),
        ("sum", {"axis": (0, 2)}),
        ("prod", {"axis": 1, "keepdims": True}),
        ("mean", {"axis": (0, 1)}),
        ("std", {"axis": 1, "correction": 1}),
        ("var", {"axis": (1, 2)}),
        ("max", {"axis": (0, 2)}),
        ("min", {"axis": 1}),
        ("argmax", {"axis": 0}),
        ("any", {"axis": (0, 1)}),
        ("all", {"axis": 2, "keepdims": True}),
        ("count_nonzero", {"axis": 1}),
        ("sort", {"axis": 1, "descending": True}),
        ("argsort", {"axis": 0}),
        ("flip", {"axis": (0, 1)}),
        ("roll", {"shift": 2, "axis": 1}),
        ("squeeze", {"axis": 0}),
        ("expand_dims", {"axis": 1}),
        ("permute_dims", {"axes": (2, 0, 1)}),
        ("moveaxis", {"source": 0, "destination": 2}),
        ("cumulative_sum", {"axis": 1}),
        ("cumulative_prod", {"axis": 0}),
        ("diff", {"axis": 2}),
        ("reshape", {"shape": (-1, 2)}),
        ("broadcast_to", {"shape": (3, 3, 4)}),
        ("clip", {"min": -0.5, "max": 0.5}),
        ("round", {}),
        ("abs", {}),
        ("sign", {}),
        ("isfinite", {}),
        ("signbit", {}),
    ],
)
def test_functions_of_one_array(name, arguments):
    array, tensor = pair(1, 3, 4)
    reference = array_api_compat.array_namespace(array)
    found = getattr(xp, name)(tensor, **arguments)
    same(found, np.asarray(getattr(reference, name)(array, **arguments)))


@pytest.mark.parametrize(
    "name",
    "add subtract multiply divide floor_divide remainder pow maximum minimum atan2 hypot copysign nextafter logaddexp "
    "equal not_equal less less_equal greater greater_equal".split(),
)
def test_functions_of_two_arrays(name):
    (a, ta), (b, tb) = pair(3, 4), pair(4, seed=1)
    a, b, ta, tb = abs(a), abs(b), abs(ta), abs(tb)
    reference = array_api_compat.array_namespace(a)
    same(getattr(xp, name)(ta, tb), getattr(reference, name)(a, b))
    same(getattr(xp, name)(ta, 2.0), getattr(reference, name)(a, 2.0))


def test_making_and_joining():
    same(xp.arange(3, 9, 2, dtype=xp.float64), np.arange(3.0, 9, 2))
    same(xp.linspace(0, 1, 5, dtype=xp.float64), np.linspace(0, 1, 5))
    same(xp.eye(3, 4, k=1, dtype=xp.float64), np.eye(3, 4, k=1))
    same(xp.full((2, 3), 7), np.full((2, 3), 7))
    same(xp.asarray([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]]))
    (a, ta), (b, tb) = pair(2, 3), pair(2, 3, seed=1)
    same(xp.concat((ta, tb), axis=1), np.concatenate((a, b), axis=1))
    same(xp.concat((ta, tb), axis=None), np.concatenate((a, b), axis=None))
    same(xp.stack((ta, tb), axis=-1), np.stack((a, b), axis=-1))
    same(xp.where(ta > 0, ta, tb), np.where(a > 0, a, b))
    same(xp.tile(ta, (2, 1, 3)), np.tile(a, (2, 1, 3)))
    same(xp.take(ta, torch.tensor([2, 0]), axis=1), np.take(a, [2, 0], axis=1))
    same(xp.matmul(ta, tb.T), a @ b.T)
    same(xp.tensordot(ta, tb, axes=((1,), (1,))), np.tensordot(a, b, axes=((1,), (1,))))
    same(xp.vecdot(ta, tb), np.vecdot(a, b))
    same(xp.astype(ta, xp.int64), a.astype(np.int64))
    grid = xp.meshgrid(xp.arange(2), xp.arange(3), indexing="ij")
    same(grid[1], np.meshgrid(np.arange(2), np.arange(3), indexing="ij")[1])


def test_sets_and_types():
    x = torch.tensor([3, 1, 3, 2])
    assert xp.unique_values(x).tolist() == [1, 2, 3]
    values, counts = xp.unique_counts(x)
    assert (values.tolist(), counts.tolist()) == ([1, 2, 3], [1, 1, 2])
    values, inverse = xp.unique_inverse(x)
    assert values[inverse].equal(x)
    assert xp.nonzero(x > 2)[0].tolist() == [0, 2] and xp.isin(x, torch.tensor([1])).tolist() == [
        False,
        True,
        False,
        False,
    ]
    assert xp.searchsorted(torch.tensor([1.0, 2.0]), torch.tensor([1.5])).item() == 1
    assert xp.result_type(torch.int32, torch.float32) == torch.float32 and xp.can_cast(torch.int32, torch.int64)
    assert xp.isdtype(torch.float32, "real floating") and not xp.isdtype(torch.bool, "numeric")
    assert xp.finfo(torch.float32).bits == 32


def test_linear_algebra():
    array, tensor = pair(4, 4)
    array, tensor = array @ array.T + np.eye(4), tensor @ tensor.T + torch.eye(4, dtype=torch.float64)
    same(xp.linalg.solve(tensor, tensor), np.linalg.solve(array, array))
    same(xp.linalg.matrix_transpose(tensor), array.T)
    same(xp.linalg.vector_norm(tensor, axis=1), np.linalg.norm(array, axis=1))
    same(xp.linalg.trace(tensor), np.asarray(np.trace(array)))
    same(xp.linalg.cross(tensor[:, :3], tensor[:, 1:]), np.linalg.cross(array[:, :3], array[:, 1:]))
    same(xp.linalg.svdvals(tensor), np.linalg.svd(array, compute_uv=False))
    same(xp.linalg.pinv(tensor), np.linalg.pinv(array))
    same(xp.fft.fft(tensor, axis=0), np.fft.fft(array, axis=0))
    same(xp.fft.irfft(xp.fft.rfft(tensor)), array)


def test_standard_information():
    information = xp.__array_namespace_info__()
    assert information.default_device() == torch.device("cpu")
    assert information.default_dtypes()["real floating"] == torch.get_default_dtype()
    assert information.dtypes(kind="bool") == {"bool": torch.bool}
    assert torch.device("cpu") in information.devices()
