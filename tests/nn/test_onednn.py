"""Convolutions by oneDNN, where the build has it, and by our own kernels: against each other, and what is kept of them."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F

mkldnn = torch.backends.mkldnn
needs_onednn = pytest.mark.skipif(not mkldnn.is_available(), reason="built without oneDNN")

# Spatial dimensions, input, weight, and how the one goes over the other.
CASES = {
    "line": (1, (4, 12, 200), (16, 12, 5), {"padding": 2}),
    "image": (2, (9, 16, 20, 20), (24, 16, 3, 3), {"padding": 1}),
    "one image": (2, (1, 64, 40, 40), (64, 64, 3, 3), {"padding": 1}),
    "volume": (3, (2, 8, 10, 11, 12), (16, 8, 3, 2, 3), {"padding": (1, 0, 1)}),
    "strided": (2, (3, 16, 31, 33), (16, 16, 3, 5), {"stride": (2, 3), "padding": (1, 2)}),
    "dilated": (2, (3, 16, 30, 30), (32, 16, 3, 3), {"dilation": 2}),
    "groups": (2, (8, 32, 14, 14), (48, 8, 3, 3), {"groups": 4, "padding": 1}),
    "depthwise": (2, (8, 32, 28, 28), (32, 1, 3, 3), {"groups": 32, "padding": 1}),
    "depthwise, twice as many": (2, (2, 16, 28, 28), (32, 1, 5, 5), {"groups": 16, "padding": 2}),
    "few channels": (2, (16, 1, 28, 28), (20, 1, 5, 5), {}),
    "one position": (2, (32, 16, 3, 3), (24, 16, 2, 2), {"stride": 2}),
    "one position, padded": (2, (8, 32, 4, 4), (24, 16, 3, 3), {"stride": 4, "padding": 1, "groups": 2}),
    "one position, dilated": (3, (4, 16, 5, 6, 1), (24, 16, 2, 3, 1), {"stride": 4, "dilation": (3, 2, 1)}),
    "one element, few positions": (2, (4, 96, 3, 3), (160, 96, 1, 1), {}),
    "an odd number of channels": (2, (5, 17, 19, 19), (33, 17, 3, 3), {}),
}


def operands(case, seed=0):
    n, size, weight, options = CASES[case]
    torch.manual_seed(seed)
    x = torch.randn(size, requires_grad=True)
    w = (torch.randn(weight) / torch.Size(weight[1:]).numel() ** 0.5).requires_grad_()
    b = torch.randn(weight[0], requires_grad=True)
    return getattr(F, f"conv{n}d"), x, w, b, options


def computed(case, dtype=torch.float32):
    """The output, and the gradients for input, weight and bias."""
    conv, x, w, b, options = operands(case)
    leaves = [t.detach().to(dtype).requires_grad_() for t in (x, w, b)]
    y = conv(*leaves, **options)
    torch.manual_seed(1)
    gradients = torch.autograd.grad(y, leaves, torch.randn(y.shape).to(dtype))
    return [y.detach(), *gradients]


def close(got, want):
    """As single precision can be, by the greatest element."""
    want = want.detach().double()
    np.testing.assert_allclose(got.detach().double(), want, rtol=0, atol=2e-5 * want.abs().max().item())


@pytest.mark.parametrize("case", CASES)
def test_both_agree(case):
    exact = computed(case, torch.float64)
    by_onednn = computed(case)
    with mkldnn.flags(enabled=False):
        by_ours = computed(case)
    for got in (by_onednn, by_ours):
        for a, b in zip(got, exact, strict=True):
            close(a, b)


@needs_onednn
def test_the_switch_decides():
    """Both round otherwise, so that equal bits would show that one of them computed both."""
    with mkldnn.flags(enabled=False):
        ours = computed("image")
        assert not mkldnn.enabled
    assert mkldnn.enabled
    theirs = computed("image")
    assert not torch.equal(ours[0], theirs[0]) and not torch.equal(ours[2], theirs[2])


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_the_number_of_threads_changes_no_bit(case, enabled):
    threads = torch.get_num_threads()
    try:
        with mkldnn.flags(enabled=enabled):
            torch.set_num_threads(1)
            one = computed(case)
            torch.set_num_threads(3)
            assert all(map(torch.equal, one, computed(case)))
    finally:
        torch.set_num_threads(threads)


def test_inputs_of_any_strides():
    conv, x, w, b, options = operands("image")
    want = conv(x, w, b, **options)
    turned = x.detach().to(memory_format=torch.channels_last)
    assert not turned.is_contiguous() and torch.equal(conv(turned, w, b, **options), want)
    spread = torch.zeros(18, 16, 20, 40)[::2, :, :, ::2]
    spread.copy_(x.detach())
    assert torch.equal(conv(spread, w.detach().transpose(2, 3).contiguous().transpose(2, 3), b, **options), want)


def test_weights_that_were_written_by_others_count():
    """Through NumPy's view, of which no version counter knows."""
    conv, x, w, b, options = operands("image")
    w, view = w.detach(), w.detach().numpy()
    before = conv(x, w, b, **options)
    view *= 2
    close(conv(x, w, b, **options) - b.view(-1, 1, 1), 2 * (before - b.view(-1, 1, 1)))
    view[:] = 0
    assert torch.equal(conv(x, w, None, **options), torch.zeros_like(before))


def test_transposed_and_empty():
    x, w = torch.randn(4, 16, 9, 9), torch.randn(16, 8, 3, 3)
    y = F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1)
    want = F.conv_transpose2d(x.double(), w.double(), stride=2, padding=1, output_padding=1)
    close(y, want)
    assert F.conv2d(torch.zeros(0, 16, 9, 9), torch.zeros(8, 16, 3, 3)).shape == (0, 8, 7, 7)


def run(program, **environment):
    home = str(Path(torch.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {home!r})\n{program}"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_onednn
def test_verbose_prints_what_is_run():
    program = """
import torch
x, w = torch.randn(4, 16, 20, 20), torch.randn(16, 16, 3, 3)
with torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
    torch.nn.functional.conv2d(x, w)
print("--", flush=True)
torch.nn.functional.conv2d(x, w)
"""
    inside, outside = run(program).split("--\n")
    assert "convolution,jit" in inside and outside == ""


def test_a_child_computes_as_its_parent():
    """Locks and threads of the parent's do not stop it."""
    program = """
import os, torch
x, w = torch.randn(8, 16, 20, 20), torch.randn(16, 16, 3, 3)
want = torch.nn.functional.conv2d(x, w)
pid = os.fork()
if not pid:
    same = torch.equal(torch.nn.functional.conv2d(x, w), want)
    other = torch.nn.functional.conv2d(x[..., 1:], w)
    os._exit(0 if same and torch.isfinite(other).all() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    assert run(program) == "0\n"


def test_shapes_that_change_leave_nothing_behind():
    """More shapes than are kept, twice: memory does not grow from the first time to the second."""
    program = """
import torch, torch.nn.functional as F
def grown(first):
    for i in range(first, first + 400):
        x = torch.ones(1, 16, 16 + i % 40, 20 + i // 40)
        F.conv2d(x, w)
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20
w = torch.ones(16, 16, 3, 3)
grown(0)
first, second = grown(400), grown(800)
print(second - first)
"""
    assert float(run(program, OMP_NUM_THREADS="1")) < 8


@needs_onednn
@pytest.mark.parametrize("capability", ["default", "avx2"])
def test_older_instructions(capability):
    """TH_CPU_CAPABILITY limits oneDNN, too: other results in the last bits at most."""
    program = """
import torch
torch.manual_seed(0)
x, w = torch.randn(4, 16, 20, 20), torch.randn(24, 16, 3, 3)
with torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
    y = torch.nn.functional.conv2d(x, w)
print("--", y.flatten().tolist(), flush=True)
"""
    used, numbers = run(program, TH_CPU_CAPABILITY=capability).split("--")
    assert ",convolution," in used and "avx512" not in used and ("avx2" in used) <= (capability == "avx2"), used
    torch.manual_seed(0)
    want = F.conv2d(torch.randn(4, 16, 20, 20), torch.randn(24, 16, 3, 3)).flatten()
    np.testing.assert_allclose(np.array(eval(numbers)), want, rtol=0, atol=1e-4)


@needs_onednn
@pytest.mark.parametrize("capability", ["avx2", ""])
def test_products_that_it_is_slower_at(capability):
    """Of factors as they lie or transposed, where OpenBLAS is faster, by the instructions that there are."""
    program = """
import torch
a, b = torch.ones(128, 128), torch.ones(128, 128)
print(torch.backends.cpu.get_cpu_capability())
with torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
    for name, x, y in [("nn", a, b), ("tn", a.T, b), ("nt", a, b.T), ("tt", a.T, b.T)]:
        print("--" + name, (x @ y).sum().item(), flush=True)
"""
    has, *parts = run(program, TH_CPU_CAPABILITY=capability).split("--")
    # What is printed before a name is of its product.
    used = {part[:2] for before, part in zip([has, *parts], parts) if ",gemm_api," in before}
    assert all(f" {128**3}" in part for part in parts)
    assert used == ({"nn", "tn", "nt"} if "AVX512" in has else {"nt"})
