"""torch.backends.cpu.rng = "mt19937": the numbers of PyTorch's own generator of the CPU, bit for bit, and its states."""

import base64
import copy
import json
import os
import pathlib
import pickle
import subprocess
import sys
import warnings
import zlib

import pytest
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import generate_mt19937  # noqa: E402
import mt19937_cases as cases  # noqa: E402

GOLDEN = json.loads((pathlib.Path(__file__).parent / "data/mt19937.json").read_text(encoding="utf-8"))
LINES = list(cases.lines())
GROUP = 60  # calls in a test

pytestmark = pytest.mark.skipif(not hasattr(torch.backends.cpu, "rng"), reason="PyTorch has one kind of generators")


@pytest.fixture(autouse=True)
def mersenne():
    torch.backends.cpu.rng = "mt19937"
    yield
    torch.backends.cpu.rng = "philox"


@pytest.mark.parametrize("first", range(0, len(LINES), GROUP))
def test_numbers_and_state_are_pytorchs(first):
    wrong = []
    for pair in LINES[first : first + GROUP]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = cases.answer(*pair)
        if found != GOLDEN["answers"]["; ".join(pair)]:
            wrong.append(f"{pair}: {found}, not {GOLDEN['answers']['; '.join(pair)]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("line", cases.NEAR)
def test_what_is_computed_with_them(line):
    expected, state = GOLDEN["near"][line]
    values, found = cases.near(line)
    torch.testing.assert_close(values, expected, rtol=1e-4, atol=1e-5)
    assert found == state


def test_training_gives_pytorchs_losses():
    torch.testing.assert_close(generate_mt19937.losses(), GOLDEN["losses"], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_workers_draw_as_there(context):
    assert cases.worker_draws(context) == GOLDEN["workers"]


def state_of_pytorch():
    return torch.tensor(list(zlib.decompress(base64.b64decode(GOLDEN["middle"]["state"]))), dtype=torch.uint8)


@pytest.mark.parametrize("mode", ["mt19937", "philox"])
def test_a_state_of_pytorch_goes_on_as_there(mode):
    torch.backends.cpu.rng = mode
    generator = torch.Generator()
    generator.set_state(state_of_pytorch())
    assert torch.equal(generator.get_state(), state_of_pytorch())
    normal, uniform, order = GOLDEN["middle"]["next"]
    assert torch.randn(4, generator=generator).tolist() == normal
    assert torch.rand(3, generator=generator).tolist() == uniform
    assert torch.randperm(5, generator=generator).tolist() == order


def test_the_kind_belongs_to_the_generator():
    ours, torchs = torch.Generator(), torch.Generator()
    assert torchs.get_state().numel() == 5056
    torch.backends.cpu.rng = "philox"
    assert torch.rand(1, generator=torchs.manual_seed(0)) != pytest.approx(0.4962566)  # seeded: of the new kind
    ours.manual_seed(0)
    state = ours.get_state()
    assert state.numel() == 16
    torch.backends.cpu.rng = "mt19937"
    expected = torch.rand(3, generator=ours)
    ours.set_state(state)
    assert torch.equal(torch.rand(3, generator=ours), expected)  # that of the state, whatever is set
    assert torch.rand(1, generator=torch.Generator().manual_seed(0)).item() == 0.49625658988952637


def test_setting_it_starts_the_default_generator_anew():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.backends.cpu.rng = "philox"
    assert torch.initial_seed() == 5
    ours = torch.rand(3)
    assert not torch.equal(ours, expected)
    torch.backends.cpu.rng = "mt19937"
    assert torch.backends.cpu.rng == "mt19937"
    assert torch.equal(torch.rand(3), expected)
    torch.backends.cpu.rng = "mt19937"  # the same: nothing changes
    assert not torch.equal(torch.rand(3), expected)


def test_fork_rng_and_copies():
    torch.manual_seed(11)
    torch.randn(3)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        torch.rand(700)
    generator = torch.Generator()
    generator.set_state(torch.get_rng_state())
    twins = [generator.clone_state(), copy.deepcopy(generator), pickle.loads(pickle.dumps(generator))]
    expected = torch.randn(4)
    for twin in (generator, *twins):
        assert twin.initial_seed() == 11
        assert torch.equal(torch.randn(4, generator=twin), expected)


@pytest.mark.parametrize(
    "damage, message",
    [
        (lambda s: s[:5048], "RNG state is wrong size: expected 16 bytes or 5056"),
        (lambda s: torch.zeros_like(s), "Invalid mt19937 state"),
        (lambda s: torch.cat([s[:8], torch.full((4,), 255, dtype=torch.uint8), s[12:]]), "Invalid mt19937 state"),
        (lambda s: torch.cat([s[:16], torch.full((8,), 255, dtype=torch.uint8), s[24:]]), "Invalid mt19937 state"),
    ],
)
def test_wrong_states_are_refused_and_change_nothing(damage, message):
    generator = torch.Generator().manual_seed(4)
    before = generator.get_state()
    with pytest.raises(RuntimeError, match=message):
        generator.set_state(damage(state_of_pytorch()))
    assert torch.equal(generator.get_state(), before)


@pytest.mark.parametrize("value", ["mersenne", "", 19937, None])
def test_other_values_are_refused(value):
    with pytest.raises(ValueError, match="must be 'philox' or 'mt19937', but got"):
        torch.backends.cpu.rng = value
    assert torch.backends.cpu.rng == "mt19937"


def run(line, **environment):
    return subprocess.run(
        [sys.executable, "-c", line], env=os.environ | environment, capture_output=True, text=True, check=False
    )


def test_the_environment_says_it_from_the_start():
    line = "import torch; torch.manual_seed(0); print(torch.backends.cpu.rng, torch.rand(1).item())"
    assert run(line, TORCH_CPU_RNG="mt19937").stdout == "mt19937 0.49625658988952637\n"
    assert run(line, TORCH_CPU_RNG="").stdout.startswith("philox ")
    refused = run(line, TORCH_CPU_RNG="twister")
    assert refused.returncode and "must be philox or mt19937, but is 'twister'" in refused.stderr


def test_a_half_types_chances_are_not_rounded():
    """A bfloat16 has 256 numbers below 1: compared with those, none but 0 would be below 1 in 1000."""
    torch.backends.cpu.rng = "philox"
    torch.manual_seed(0)
    rate = torch.bernoulli(torch.full((200_000,), 1e-3, dtype=torch.bfloat16)).float().mean().item()
    assert 0.7e-3 < rate < 1.3e-3


def test_threads_share_a_generator():
    import threading

    torch.manual_seed(2)
    expected = torch.rand(40_000).sort().values
    torch.manual_seed(2)
    found = []

    def draw():
        for _ in range(10):
            found.append(torch.rand(1000))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert torch.equal(torch.cat(found).sort().values, expected)
