"""Variances, norms, scans, order statistics, histograms and sets, against exact arithmetic and NumPy; over thread counts."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from strategies import FLOATS, INTS, NUMBERS, as_torch, assert_same, twins

EPSILON = {"float16": 2**-11, "float32": 2**-24, "float64": 2**-53}


def exact_variance(values, correction=1):
    """Computed in rational numbers."""
    values = [Fraction(float(v)) for v in values]
    mean = sum(values) / len(values)
    return float(sum((v - mean) ** 2 for v in values) / (len(values) - correction))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("length", [2, 3, 31, 33, 513, 2049, 5000])
@pytest.mark.parametrize("shift", [0, 1000])
def test_variance_is_within_two_roundings(dtype, length, shift):
    """Also where the mean is far greater than the deviation. In double the errors are those of the distances."""
    array = (np.random.default_rng(length).normal(size=length) + shift).astype(dtype)
    want = exact_variance(array)
    limit = 2**-49 * (1 + shift) if dtype == "float64" else 2.1 * EPSILON[dtype]
    for tensor in (torch.from_numpy(array), torch.from_numpy(np.repeat(array, 2))[::2]):
        assert abs(tensor.var().item() - want) <= limit * want
        assert abs(tensor.std().item() - math.sqrt(want)) <= limit * math.sqrt(want)
    columns = torch.from_numpy(np.ascontiguousarray(np.stack([array] * 9, 1)))
    assert max(abs(v - want) for v in columns.var(0).tolist()) <= limit * want


@given(twins(dtypes=("float32", "float64"), min_dims=1, min_side=2), st.data(), st.booleans())
def test_variance_along_dimensions(pair, data, keepdim):
    tensor, array = pair
    dim = data.draw(st.integers(-array.ndim, array.ndim - 1))
    assert_same(tensor.var(dim, keepdim=keepdim), array.var(dim, ddof=1, keepdims=keepdim), exact=False)
    std, mean = torch.std_mean(tensor, dim, correction=0)
    assert_same(std, array.std(dim), exact=False)
    assert_same(mean, array.mean(dim), exact=False)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("length", [1, 31, 65, 1000, 4097, 100_001])
def test_norms_against_exact_sums(dtype, length):
    """Error of a sum of n positive numbers: log2(n) + 32 roundings of the computing dtype at most."""
    array = np.random.default_rng(length).uniform(-1, 1, length).astype(dtype)
    tensor, wide = torch.from_numpy(array), [abs(float(x)) for x in array]
    limit = EPSILON[dtype] + (math.log2(length) + 32) * EPSILON["float32" if dtype == "float16" else dtype]
    for p, want in (
        (1, math.fsum(wide)),
        (2, math.sqrt(math.fsum(x * x for x in wide))),
        (math.inf, max(wide)),
        (-math.inf, min(wide)),
    ):
        got = tensor.norm(p).item()
        assert (
            got == want
            if math.isinf(want)
            else abs(got - want) <= limit * want or (dtype == "float16" and want > 65000)
        )
    assert tensor.double().norm(0).item() == np.count_nonzero(array)
    if dtype != "float16":
        assert tensor.norm(3).item() == pytest.approx(math.fsum(x**3 for x in wide) ** (1 / 3), rel=100 * limit)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_running_sums_are_as_good_as_double(dtype):
    """Of float32 every prefix is rounded once; of float64 the error is that of adding in order."""
    array = np.random.default_rng(3).uniform(-1, 1, 20000).astype(dtype)
    got = torch.from_numpy(array).cumsum(0).tolist()
    for i in (0, 1, 100, 9999, 19999):
        want = math.fsum(array[: i + 1].astype("float64"))
        size = math.fsum(np.abs(array[: i + 1].astype("float64")))
        assert abs(got[i] - want) <= EPSILON[dtype] * abs(want) + (i + 1) * 2**-53 * size


@pytest.mark.parametrize("function", ["cumsum", "cumprod", "logcumsumexp"])
@pytest.mark.parametrize("rows", [1, 3, 4, 5, 11])
def test_a_row_runs_as_it_does_alone(function, rows):
    a = torch.rand(rows, 50, dtype=torch.float64, generator=torch.Generator().manual_seed(rows))
    for t in (a, a.float(), a.half(), torch.complex(a, -a)):
        got = getattr(t, function)(1)
        for k in range(rows):
            assert torch.view_as_real(got[k] + 0j).equal(torch.view_as_real(getattr(t[k], function)(0) + 0j))


@given(twins(dtypes=("bool", *NUMBERS), min_dims=1), st.data())
def test_scans(pair, data):
    tensor, array = pair
    dim = data.draw(st.integers(-array.ndim, array.ndim - 1))
    wide = array.dtype if array.dtype.kind == "f" else np.dtype("int64")
    assert_same(tensor.cumsum(dim), array.cumsum(dim, dtype=wide), exact=wide != "float16")
    if array.dtype.kind != "f":
        with np.errstate(over="ignore"):
            assert_same(tensor.cumprod(dim), array.cumprod(dim, dtype=wide))
    values, indices = tensor.cummax(dim)
    assert_same(values, np.maximum.accumulate(array, dim))
    if array.size:
        assert_same(tensor.gather(dim, indices), np.maximum.accumulate(array, dim))
    assert_same(tensor.cummin(dim).values, np.minimum.accumulate(array, dim))


@given(twins(dtypes=("float32", "float64"), min_dims=1, min_side=1), st.data(), st.booleans())
def test_logarithms_of_sums(pair, data, keepdim):
    tensor, array = pair
    dim = data.draw(st.integers(-array.ndim, array.ndim - 1))
    assert_same(tensor.logsumexp(dim, keepdim), np.logaddexp.reduce(array, dim, keepdims=keepdim), exact=False)
    assert_same(tensor.logcumsumexp(dim), np.logaddexp.accumulate(array, dim), exact=False)


@given(twins(dtypes=NUMBERS, min_dims=1, min_side=1), st.data(), st.booleans())
def test_order_statistics(pair, data, keepdim):
    tensor, array = pair
    dim = data.draw(st.integers(-array.ndim, array.ndim - 1))
    n = array.shape[dim]
    k = data.draw(st.integers(1, n))
    ordered = np.sort(array, dim)
    for (values, indices), at in (
        (tensor.kthvalue(k, dim, keepdim), k - 1),
        (tensor.median(dim, keepdim), (n - 1) // 2),
    ):
        want = np.take(ordered, at, dim)
        assert_same(values, np.expand_dims(want, dim) if keepdim else want)
        found = tensor.gather(dim, indices if keepdim else indices.unsqueeze(dim))
        assert_same(found, np.expand_dims(want, dim))


@given(twins(dtypes=("bool", *NUMBERS), min_dims=1, min_side=1), st.data())
def test_mode_is_the_smallest_of_the_most_frequent(pair, data):
    tensor, array = pair
    dim = data.draw(st.integers(0, array.ndim - 1))
    values, indices = tensor.mode(dim)

    def mode(row):
        found, count = np.unique(row, return_counts=True)
        return found[count.argmax()]

    assert_same(values, np.apply_along_axis(mode, dim, array))
    assert_same(tensor.gather(dim, indices.unsqueeze(dim)).squeeze(dim), np.apply_along_axis(mode, dim, array))


@given(
    twins(dtypes=("float64",), min_dims=1, min_side=1),
    st.lists(st.floats(0, 1), max_size=3),
    st.sampled_from(("linear", "lower", "higher", "midpoint")),
    st.data(),
)
def test_quantiles(pair, q, how, data):
    tensor, array = pair
    dim = data.draw(st.none() | st.integers(-array.ndim, array.ndim - 1))
    got = torch.quantile(tensor, torch.tensor(q, dtype=torch.float64), dim, interpolation=how)
    if q:
        assert_same(got, np.quantile(array, np.array(q), dim, method=how), exact=False)
    spoiled = torch.cat([tensor, torch.full_like(tensor, math.nan)], dim or 0)
    if q and dim is not None:
        again = torch.nanquantile(spoiled, torch.tensor(q, dtype=torch.float64), dim, interpolation=how)
        assert again.tolist() == got.tolist()


@given(twins(dtypes=("float32",)), st.integers(1, 9))
def test_histograms(pair, bins):
    tensor, array = pair
    hist, edges = torch.histogram(tensor, bins, range=(-5.0, 4.0))
    want, _ = np.histogram(array, edges.numpy())
    assert hist.tolist() == want.tolist()
    assert torch.histogram(tensor, edges).hist.tolist() == want.tolist()
    assert tensor.histc(2, -10, 10).sum().item() == ((array >= -10) & (array <= 10)).sum()


@given(st.lists(st.integers(0, 40), max_size=50), st.sampled_from(INTS), st.integers(0, 50))
def test_counting_integers(numbers, dtype, minlength):
    array = np.array(numbers, dtype)
    assert_same(
        torch.bincount(as_torch(array), minlength=minlength), np.bincount(array, minlength=minlength).astype("int64")
    )
    weights = np.arange(len(numbers)) / 4
    got = torch.bincount(as_torch(array), torch.from_numpy(weights), minlength)
    assert got.tolist() == np.bincount(array, weights, minlength).tolist()


@given(twins(dtypes=NUMBERS, min_dims=1), twins(dtypes=NUMBERS), st.booleans())
def test_searching(sequence, wanted, right):
    tensor, array = sequence
    rows, order = array.reshape(-1), np.argsort(array.reshape(-1), kind="stable")
    side = "right" if right else "left"
    values, values_array = wanted
    want = np.searchsorted(rows[order].astype("float64"), values_array.astype("float64"), side).astype("int64")
    flat = tensor.reshape(-1)
    assert_same(torch.searchsorted(flat.sort()[0], values, right=right), want)
    assert_same(torch.searchsorted(flat, values, side=side, sorter=torch.from_numpy(order)), want)
    assert_same(torch.bucketize(values, flat.sort()[0], right=right, out_int32=True), want.astype("int32"))


@given(twins(dtypes=("bool", *NUMBERS)))
def test_different_elements(pair):
    tensor, array = pair
    values, inverse, counts = torch.unique(tensor, return_inverse=True, return_counts=True)
    want = np.unique(array, return_counts=True)
    assert_same(values, want[0])
    assert_same(counts, want[1].astype("int64"))
    assert_same(values[inverse], array)
    runs, place, lengths = torch.unique_consecutive(tensor, True, True)
    assert_same(runs[place], array)
    assert lengths.sum().item() == array.size
    assert not (runs[1:] == runs[:-1]).any().item()


def reaching(dtype, length, reach, seed=0):
    """Integers, both ends among them, that reach so far: at the lower end of the dtype, around zero, at the upper end."""
    info = np.iinfo(dtype)
    reach = min(reach, int(info.max) - int(info.min))
    drawn = np.random.default_rng(seed).integers(0, reach, length, endpoint=True, dtype="uint64")
    drawn[[0, -1]] = 0, reach
    for low in {int(info.min), max(int(info.min), -reach // 2), int(info.max) - reach}:
        yield (drawn + np.uint64(low % 2**64)).view("int64").astype(dtype)


REACHES = [1, 255, 256, 555, 556, 557, 2**16, 2**24, 2**32 - 1, 2**32, 2**63, 2**64 - 1]


@pytest.mark.parametrize("dtype", INTS)
@pytest.mark.parametrize("reach", REACHES)
def test_different_integers_by_reach(dtype, reach):
    """Counted up to a reach of their number and 256, sorted beyond; the same with and without inverse and counts."""
    for array in reaching(dtype, 300, reach):
        array[10:20] = array[:10]
        tensor = as_torch(array).view(60, 5)
        want, place, count = np.unique(array, return_inverse=True, return_counts=True)
        for given_ in (tensor, tensor.t()):
            values, inverse, counts = torch.unique(given_, return_inverse=True, return_counts=True)
            assert_same(values, want)
            assert_same(inverse if given_ is tensor else inverse.t(), place.reshape(60, 5))
            assert_same(counts, count)
            assert_same(torch.unique(given_), want)
            alone = torch.unique(given_, return_counts=True)
            assert_same(alone[0], want)
            assert_same(alone[1], count)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_different_numbers_keep_zeros_and_nans(dtype):
    """-0.0 equals 0.0, and the first one stays; every NaN stays."""
    dtype = getattr(torch, dtype)
    for first, second in ((0.0, -0.0), (-0.0, 0.0)):
        numbers = [1.0, math.nan, first, -1.0, second, math.inf, math.nan, 1.0, -math.inf] * 40
        values = torch.unique(torch.tensor(numbers, dtype=dtype))
        assert values[:5].tolist() == [-math.inf, -1, 0, 1, math.inf]
        assert values[2].signbit() == torch.tensor(first).signbit()
        assert len(values) == 5 + 80 and values[5:].isnan().all()
        values, counts = torch.unique(torch.tensor(numbers, dtype=dtype), return_counts=True)
        assert counts.tolist() == [40, 40, 80, 80, 40] + [1] * 80 and len(values) == 85
    assert torch.unique(torch.tensor([True, False, True] * 200)).tolist() == [False, True]


@pytest.mark.parametrize("dtype", INTS)
@pytest.mark.parametrize("reach", [1, 255, 256, 3000, 2655, 2656, 2**32, 2**64 - 1])
def test_membership_by_reach(dtype, reach):
    """Looked up in a table up to a reach of eight times all numbers and 256, searched for beyond."""
    for among in reaching(dtype, 100, reach):
        array = np.concatenate([among[::3], among + among.dtype.type(1), among - among.dtype.type(1)])[:200]
        info = np.iinfo(dtype)
        array[:2] = info.min, info.max
        want = np.isin(array, among)
        for invert in (False, True):
            assert_same(torch.isin(as_torch(array), as_torch(among), invert=invert), want ^ invert)
            strided = torch.isin(as_torch(array).view(-1, 2).t(), as_torch(among).flip(0), invert=invert)
            assert_same(strided.t().reshape(-1), want ^ invert)
        assert not torch.isin(as_torch(array), as_torch(among[:0])).any()


@given(twins(dtypes=NUMBERS), twins(dtypes=NUMBERS), st.booleans())
def test_membership(pair, others, invert):
    got = torch.isin(pair[0], others[0], invert=invert)
    assert_same(got, np.isin(pair[1].astype("float64"), others[1].astype("float64"), invert=invert))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("length", [0, 1, 2, 7, 8, 9, 1000])
def test_searching_side_by_side(dtype, length):
    """As many values as do and do not divide by the number searched at once; NaN goes to the end, and is nowhere."""
    random = np.random.default_rng(length)
    row = np.sort(random.integers(-300, 300, length)).astype(dtype)
    wanted = np.concatenate([random.integers(-310, 310, 1003) / 2, [np.inf, -np.inf, np.nan, -0.0]]).astype(dtype)
    assert_same(torch.searchsorted(as_torch(row), as_torch(wanted)), np.searchsorted(row, wanted))
    assert_same(torch.searchsorted(as_torch(row), as_torch(wanted), right=True), np.searchsorted(row, wanted, "right"))
    assert_same(torch.isin(as_torch(wanted), as_torch(row)), np.isin(wanted, row))
    spoiled = torch.cat([torch.tensor([math.nan], dtype=as_torch(row).dtype), as_torch(row)])
    assert_same(torch.isin(as_torch(wanted), spoiled), np.isin(wanted, row))
    rows = torch.stack([as_torch(row), as_torch(row) + 5])
    assert_same(torch.searchsorted(rows, as_torch(np.stack([wanted, wanted])))[1], np.searchsorted(row + 5, wanted))


@given(twins(dtypes=("int64", "float32", "uint8"), min_dims=1, min_side=1, max_side=3), st.data())
def test_different_slices(pair, data):
    tensor, array = pair
    dim = data.draw(st.integers(0, array.ndim - 1))
    values, inverse, counts = torch.unique(tensor, return_inverse=True, return_counts=True, dim=dim)
    assert_same(values, np.unique(array, axis=dim))
    assert_same(values.index_select(dim, inverse), array)
    assert counts.sum().item() == array.shape[dim]


COMPUTED = """a.sum() a.sum(0) a.sum(1) a.prod(1) a.mean((0,1)) a.max(0) a.max(1) a.argmin() a.amax(0) a.var() a.var(0) a.std(1)
a.norm() a.norm(1,0) a.norm(3,1) a.nansum(0) a.cumsum(0) a.cumsum(1) a.cummax(0) a.logcumsumexp(1) a.median() a.median(0)
a.kthvalue(7,1) a.mode(1) a.histc(50) torch.histogram(a,20,weight=a,density=True) torch.quantile(a,0.3,0) a.topk(5,1) a.topk(40,0)
torch.unique(a,return_inverse=True) torch.bucketize(a,a[0].sort()[0]) a.logsumexp(0) a.renorm(2,0,1) torch.bincount((a*100).int().view(-1),a.view(-1))
a.half().sum(0) a.half().var(1) a.t().sum(0) a.t()[::2].max(1) a.int().cumprod(0) a.topk(5,0) a.unique() (a*100).long().sort(0)
(a*1e12).long().view(-1).sort() torch.isin((a*100).int(),(a[0]*90).int()) torch.isin(a,a[3])""".split()


@pytest.mark.parametrize("code", COMPUTED)
def test_the_number_of_threads_does_not_matter(code):
    a = torch.from_numpy(np.random.default_rng(5).uniform(0, 2, (700, 611)).astype("float32"))
    before = torch.get_num_threads()
    answers = []
    for threads in (1, 2, 3, 7):
        torch.set_num_threads(threads)
        result = eval(code, {"torch": torch, "a": a})
        answers.append([r.tolist() for r in (result if isinstance(result, tuple) else (result,))])
    torch.set_num_threads(before)
    assert answers[0] == answers[1] == answers[2] == answers[3]


def test_results_may_overlap_their_input():
    a = torch.arange(12, dtype=torch.float32).view(3, 4)
    want = a.cumsum(0)
    assert torch.cumsum(a, 0, out=a) is a and a.tolist() == want.tolist()
    b = torch.arange(6.0)
    with pytest.raises(RuntimeError):
        torch.cumsum(b[:5], 0, out=b[1:])
    assert b.tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(RuntimeError):
        torch.cummax(b, 0, out=(torch.empty(6), torch.empty(6)))
    with pytest.raises(RuntimeError):
        torch.renorm(torch.ones(2, 3), 2, 0, 1, out=torch.empty(1).expand(2, 3))
