"""What is loaded, and when; without a device, and in a fork."""

import subprocess
import sys

import pytest


def run(code, **environment):
    import os

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


LOADED = "any(name in open('/proc/self/maps').read() for name in ('libtorch_cuda', 'libTHC.', 'libcudart'))"


def test_nothing_is_loaded_before_the_first_use():
    assert run(
        f"import torch; torch.device('cuda:1'); torch.manual_seed(3); torch.ones(2).is_pinned(); print({LOADED})\n"
        f"torch.cuda.manual_seed(4); torch.cuda.memory_allocated(); print(torch.cuda.is_initialized(), {LOADED})\n"
        f"torch.zeros(1, device='cuda'); print(torch.cuda.is_initialized(), {LOADED})"
    ) == ["False", "False False", "True True"]


def test_seeds_wait_for_the_first_use():
    assert run("import torch; torch.manual_seed(3); torch.cuda.init(); print(torch.cuda.initial_seed())") == ["3"]
    assert run(
        "import torch; torch.cuda.manual_seed(4); torch.manual_seed(3); torch.cuda.init()\n"
        "print([g.initial_seed() for g in torch.cuda.default_generators][0])"
    ) == ["3"]
    assert run(
        "import torch; torch.manual_seed(3); torch.cuda.manual_seed_all(4); torch.cuda.init()\n"
        "print(torch.cuda.initial_seed(), torch.initial_seed())"
    ) == ["4 3"]


@pytest.mark.parametrize("first", ["torch.cuda.init()", "torch.empty(1, device='cuda')", "torch.ones(1).cuda()"])
def test_without_a_device(first):
    code = (
        "import torch; print(torch.cuda.is_available(), torch.cuda.device_count())\n"
        "torch.cuda.empty_cache(); torch.cuda.manual_seed(3)\n"
        f"try: {first}\n"
        "except RuntimeError as error: print(type(error).__name__, bool(str(error)))\n"
        "print(torch.ones(2).sum().item())"
    )
    # HOST_CUDA_DEVICES: the toolkit of tests/host-cuda has no driver to ask.
    assert run(code, CUDA_VISIBLE_DEVICES="", HOST_CUDA_DEVICES="0") == ["False 0", "RuntimeError True", "2.0"]


def test_a_fork_of_a_process_that_has_used_cuda():
    code = (
        "import os, torch, warnings; warnings.simplefilter('ignore')\n"
        "a = torch.ones(2, device='cuda')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try: torch.ones(2, device='cuda')\n"
        "    except RuntimeError as error: os._exit(7 if 'forked subprocess' in str(error) else 8)\n"
        "    os._exit(9)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), a.tolist())"
    )
    assert run(code) == ["7 [1.0, 1.0]"]
