"""Fourier transforms against NumPy, for random shapes, layouts and lengths; what they must satisfy by themselves."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

EPSILON = {"float32": 2**-23, "float64": 2**-52}
TRANSFORMS = "fft ifft rfft irfft hfft ihfft".split()
MANY = "fftn ifftn rfftn irfftn".split()
NORMS = st.sampled_from([None, "backward", "forward", "ortho"])


def limit(array, points):
    """Of errors: some roundings of what is as large as the sum can be."""
    return (
        4
        * EPSILON[array.real.dtype.name]
        * (2 + np.log2(points))
        * max(1, float(np.abs(array).max(initial=0)) * points)
    )


def assert_near(tensor, array, points, bound):
    assert tuple(tensor.shape) == array.shape
    assert np.abs(tensor.resolve_conj().numpy() - array).max(initial=0) <= bound


@st.composite
def layouts(draw, longest=40):
    """A tensor in some layout, and the same array."""
    shape = draw(st.lists(st.integers(1, longest), min_size=1, max_size=3))
    dtype = np.dtype(draw(st.sampled_from(["float32", "float64", "complex64", "complex128"])))
    random = np.random.default_rng(draw(st.integers(0, 99)))
    steps = draw(st.lists(st.integers(1, 3), min_size=len(shape), max_size=len(shape)))
    order = draw(st.permutations(range(len(shape))))
    wide = random.normal(size=[shape[d] * steps[d] for d in order])
    if dtype.kind == "c":
        wide = wide + 1j * random.normal(size=wide.shape)
    wide = torch.from_numpy(wide.astype(dtype)).permute([order.index(d) for d in range(len(shape))])
    tensor = wide[tuple(slice(None, None, step) for step in steps)]
    if draw(st.booleans()) and tensor.dim() > 1:
        tensor = tensor[:1].expand(shape)
    return tensor, tensor.clone().numpy()


@given(layouts(), st.data())
def test_one_dimension(pair, data):
    tensor, array = pair
    name = data.draw(st.sampled_from(TRANSFORMS))
    if name in ("rfft", "ihfft"):
        tensor, array = tensor.real, array.real
    dim = data.draw(st.integers(-array.ndim, array.ndim - 1))
    n = data.draw(st.one_of(st.none(), st.integers(1, 90)))
    norm = data.draw(NORMS)
    if n is None and name in ("irfft", "hfft") and array.shape[dim] == 1:
        n = 3
    want = getattr(np.fft, name)(array, n, dim, norm)
    points = max(n or 0, 2 * array.shape[dim])
    assert_near(getattr(torch.fft, name)(tensor, n, dim, norm), want, points, limit(array, points))


@given(layouts(12), st.data())
def test_several_dimensions(pair, data):
    tensor, array = pair
    name = data.draw(st.sampled_from(MANY))
    if name == "rfftn":
        tensor, array = tensor.real, array.real
    dim = data.draw(st.lists(st.integers(0, array.ndim - 1), min_size=1, unique=True))
    s = data.draw(st.lists(st.integers(1, 20), min_size=len(dim), max_size=len(dim)))
    norm = data.draw(NORMS)
    points = int(np.prod(s)) * 4
    want = getattr(np.fft, name)(array, s, dim, norm)
    assert_near(getattr(torch.fft, name)(tensor, s, dim, norm), want, points, limit(array, points))


LENGTHS = [*range(1, 40), 49, 64, 96, 97, 121, 127, 128, 169, 210, 243, 256, 343, 500, 512, 625, 997, 1000, 1021, 1024]
LENGTHS += [
    1331,
    2048,
    2187,
    3000,
    4096,
    4099,
    6561,
    8192,
    8191,
    10007,
    16384,
    19683,
    20000,
    32768,
    65537,
    100000,
    131072,
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", LENGTHS)
def test_every_kind_of_length(n, dtype):
    """Powers of two and of others, products, primes; one line, some, more than a vector has lanes."""
    random = np.random.default_rng(n)
    for lines in (1, 3, 19) if n < 20000 else (1, 2):
        real = random.normal(size=(lines, n))
        both = real + 1j * random.normal(size=(lines, n))
        want = np.fft.fft(both)
        scale = EPSILON[dtype] * (2 + np.log2(n)) * np.sqrt(n)
        z = torch.from_numpy(both.astype("complex64" if dtype == "float32" else "complex128"))
        x = torch.from_numpy(real.astype(dtype))
        assert np.abs(torch.fft.fft(z).numpy() - want).max() <= 3 * scale
        assert np.abs(torch.fft.fft(z.T, dim=0).numpy().T - want).max() <= 3 * scale
        assert np.abs(torch.fft.ifft(torch.fft.fft(z)).numpy() - both).max() <= 3 * scale
        half = torch.fft.rfft(x)
        assert np.abs(half.numpy() - np.fft.rfft(real)).max() <= 3 * scale
        assert np.abs(torch.fft.irfft(half, n).numpy() - real).max() <= 3 * scale
        assert np.abs(torch.fft.fft(x).numpy() - np.fft.fft(real)).max() <= 3 * scale


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("lines", [5, 8, 21])
@pytest.mark.parametrize("lengths", [range(1, 33), range(33, 65), (67, 97, 127, 128, 131, 200, 250, 251)])
def test_layout_changes_no_number(lengths, lines, dtype):
    """Lines one after the other, beside each other and with gaps, whole groups of them and what is left; against NumPy."""
    random = np.random.default_rng(lines)
    for n in lengths:
        real = torch.from_numpy(random.normal(size=(lines, n)).astype(dtype))
        both = torch.complex(real, torch.from_numpy(random.normal(size=(lines, n)).astype(dtype)))
        bound = 3 * EPSILON[dtype] * (2 + np.log2(n)) * np.sqrt(n)
        for name, x in [("fft", both), ("ifft", both), ("fft", real), ("rfft", real), ("irfft", both), ("hfft", both)]:
            f = getattr(torch.fft, name)
            wanted = f(x, n)
            exact = getattr(np.fft, name)(x.numpy().astype("complex128" if x.is_complex() else "float64"), n)
            assert np.abs(wanted.numpy() - exact).max() <= bound * (1 if name != "hfft" else 2), (name, n)
            spread = torch.stack([x, x], 2).flatten(1)[:, ::2]
            apart = torch.cat([x, x[:, :1]], 1)[:, :n]
            for other in (x.T.contiguous().T, spread, apart, x.repeat(1, 2)[:, :n]):
                assert torch.equal(f(other, n), wanted), (name, n, other.stride())
            assert torch.equal(f(x.T.contiguous(), n, 0).T, wanted), (name, n)


@given(layouts())
def test_energy_stays_and_sums_add(pair):
    tensor, array = pair
    dim = tuple(range(array.ndim))
    ortho = torch.fft.fftn(tensor, norm="ortho")
    energy = float((np.abs(array.astype("complex128")) ** 2).sum())
    assert (ortho.abs().double() ** 2).sum().item() == pytest.approx(energy, rel=1e-4)
    other = tensor.flip(dim)
    joined = torch.fft.fftn(2 * tensor - other)
    bound = 4 * limit(array, array.size)
    assert (joined - (2 * torch.fft.fftn(tensor) - torch.fft.fftn(other))).abs().max().item() <= bound


def test_lines_do_not_touch_each_other():
    """What is not a number, or huge, in one line leaves the others alone."""
    for n in (6, 7, 64, 97):
        a = torch.rand(20, n, dtype=torch.float64)
        b = a.clone()
        b[3], b[11] = torch.nan, 1e300
        rest = [i for i in range(20) if i not in (3, 11)]
        for name in TRANSFORMS:
            for dim, x, y in ((-1, a, b), (0, a.T.contiguous(), b.T.contiguous())):
                f = getattr(torch.fft, name)
                assert torch.equal(f(x, dim=dim).movedim(dim, -1)[rest], f(y, dim=dim).movedim(dim, -1)[rest])
                assert not torch.isfinite(torch.view_as_real(f(y, dim=dim).movedim(dim, -1)[3] + 0j)).all()


@pytest.mark.parametrize("shape", [(64, 1000), (37, 1009), (300, 128), (1, 4096), (5000, 7)])
def test_threads_change_nothing(shape):
    before = torch.get_num_threads()
    a = torch.rand(shape) - 0.5
    z = torch.complex(a, a.flip(0))
    n = 16 if shape[1] > 16 else 4
    calls = [lambda: torch.fft.fft(z), lambda: torch.fft.fft(z, dim=0), lambda: torch.fft.rfft(a), lambda: torch.fft.irfft(z),
             lambda: torch.fft.fftn(a), lambda: torch.stft(a[0], n, window=torch.hann_window(n), return_complex=True)]  # fmt: skip
    try:
        torch.set_num_threads(1)
        want = [call() for call in calls]
        for threads in (2, 3, 8):
            torch.set_num_threads(threads)
            for call, result in zip(calls, want):
                assert torch.equal(call(), result)
    finally:
        torch.set_num_threads(before)


SUMS = """
import hashlib, torch
torch.manual_seed(3)
digest = hashlib.sha256()
for n in (5, 24, 64, 97, 1000, 1009, 4096):
    for dtype in (torch.float32, torch.float64):
        a = torch.rand(11, n, dtype=dtype)
        for x in (a, a[0], a[:3], a.T.contiguous().T, torch.stack([a, a], 2)[:, :, 0]):
            for result in (torch.fft.fft(x + 1j * x.flip(0)), torch.fft.rfft(x), torch.fft.irfft(x), torch.fft.fftn(x)):
                digest.update(torch.view_as_real(result + 0j).numpy().tobytes())
print(digest.hexdigest())
"""


def test_every_processor_gives_the_same_numbers():
    """Also one without the newer vector instructions, which this setting hides."""
    results = set()
    for capability in ("default", "avx2", ""):
        environment = os.environ | {"TH_CPU_CAPABILITY": capability}
        done = subprocess.run([sys.executable, "-c", SUMS], env=environment, text=True, capture_output=True, check=True)
        results.add(done.stdout)
    assert len(results) == 1


def test_many_lengths_in_many_threads():
    """Plans are shared and dropped while others use them."""
    from concurrent.futures import ThreadPoolExecutor

    def work(seed):
        random = np.random.default_rng(seed)
        for n in random.integers(1, 400, 60):
            x = random.normal(size=(3, n))
            assert np.abs(torch.fft.rfft(torch.from_numpy(x)).numpy() - np.fft.rfft(x)).max() < 1e-10
        return seed

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(16))) == list(range(16))


def test_batches_of_nothing():
    """PyTorch's library refuses these."""
    if "PyTorch" in (torch.__config__.show() or ""):
        pytest.skip("raises in PyTorch")
    assert torch.fft.fft(torch.empty(0, 3)).shape == (0, 3)
    assert torch.fft.rfft(torch.empty(0, 4)).shape == (0, 3)
    assert torch.fft.irfft2(torch.empty(0, 2, 3)).shape == (0, 2, 4)


def test_results_that_are_given():
    z = torch.randn(4, 6, dtype=torch.complex128)
    want = torch.fft.fft(z)
    out = torch.empty(6, 4, dtype=torch.complex128).T
    assert torch.fft.fft(z, out=out) is out and torch.equal(out, want)
    assert torch.fft.fft(z, out=z) is z and torch.equal(z, want)


def test_warnings_come_once():
    code = """
import torch, warnings
x = torch.rand(50)
for call in (lambda: torch.stft(x, 8, return_complex=True), lambda: torch.stft(x, 8, window=torch.ones(8), return_complex=False)) * 2:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    print([str(w.message)[:27] for w in caught])
"""
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert done.stdout.splitlines() == [
        "['A window was not provided. ']",
        "['stft with return_complex=Fa']",
        "[]",
        "[]",
    ]


@settings(deadline=None)
@given(st.data())
def test_short_time_transforms_and_back(data):
    n_fft = data.draw(st.integers(2, 40))
    win = data.draw(st.integers(max(2, n_fft // 2), n_fft))
    hop = data.draw(st.integers(1, max(1, win // 2)))
    length = data.draw(st.integers(2 * n_fft, 300))
    batch = data.draw(st.sampled_from([(), (1,), (3,)]))
    x = torch.randn(*batch, length, dtype=torch.float64)
    window = torch.rand(win, dtype=torch.float64) + 0.5
    normalized, onesided = data.draw(st.booleans()), data.draw(st.booleans())
    options = {"hop_length": hop, "win_length": win, "window": window, "normalized": normalized, "onesided": onesided}
    spectrum = torch.stft(x, n_fft, **options, return_complex=True)
    assert spectrum.shape == (*batch, n_fft // 2 + 1 if onesided else n_fft, 1 + (length - n_fft % 2) // hop)
    # one piece, by its definition
    left = (n_fft - win) // 2
    wide = np.zeros(n_fft)
    wide[left : left + win] = window.numpy()
    padded = np.pad(x.numpy(), [*[(0, 0)] * len(batch), (n_fft // 2, n_fft // 2)], mode="reflect")
    piece = data.draw(st.integers(0, spectrum.shape[-1] - 1))
    want = np.fft.fft(padded[..., piece * hop : piece * hop + n_fft] * wide) / (n_fft**0.5 if normalized else 1)
    assert np.abs(spectrum[..., piece].numpy() - want[..., : spectrum.shape[-2]]).max() < 1e-11
    covered = hop * (spectrum.shape[-1] - 1)
    back = torch.istft(spectrum, n_fft, **options, length=covered)
    assert (back - x[..., :covered]).abs().max().item() < 1e-10


@pytest.mark.skipif(not hasattr(torch, "rfft"), reason="PyTorch 1.0's names")
def test_names_of_the_first_version():
    x = torch.randn(3, 4, 5, dtype=torch.float64)
    for ndim in (1, 2, 3):
        dims = tuple(range(-ndim, 0))
        full = torch.rfft(x, ndim, onesided=False)
        want = np.fft.fftn(x.numpy(), axes=dims)
        assert np.abs(torch.view_as_complex(full).numpy() - want).max() < 1e-12
        half = x.rfft(ndim, normalized=True)
        assert half.shape == (3, 4, 3, 2)
        assert (
            np.abs(torch.view_as_complex(half).numpy() - np.fft.rfftn(x.numpy(), axes=dims, norm="ortho")).max() < 1e-12
        )
        assert (torch.irfft(half, ndim, True, signal_sizes=x.shape[-ndim:]) - x).abs().max() < 1e-12
        assert (torch.irfft(full, ndim, onesided=False) - x).abs().max() < 1e-12
        assert (torch.ifft(full, ndim)[..., 0] - x).abs().max() < 1e-12
    with pytest.raises(RuntimeError, match="signal_ndim to be 1, 2, or 3"):
        torch.rfft(x, 4)
