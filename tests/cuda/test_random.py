"""Random numbers: a generator for each device, the CPU's numbers for one seed."""

import copy
import pickle

import pytest
import torch


def test_seeds():
    torch.manual_seed(7)
    assert torch.cuda.initial_seed() == 7
    a = torch.cuda.default_generators[0].get_state()
    torch.cuda.manual_seed(8)
    assert torch.cuda.initial_seed() == 8 and torch.initial_seed() == 7
    torch.cuda.manual_seed_all(7)
    assert torch.cuda.get_rng_state().equal(a)
    torch.cuda.seed()
    assert torch.cuda.initial_seed() != 7
    torch.cuda.seed_all()
    assert len({g.initial_seed() for g in torch.cuda.default_generators}) == 1
    assert torch.seed() == torch.cuda.initial_seed()


def test_states():
    assert len(torch.cuda.get_rng_state_all()) == torch.cuda.device_count() == len(torch.cuda.default_generators)
    state = torch.cuda.get_rng_state("cuda:0")
    assert state.is_cpu and state.dtype == torch.uint8
    torch.cuda.manual_seed(1)
    torch.cuda.set_rng_state(state)
    assert torch.cuda.get_rng_state().equal(state)
    torch.cuda.set_rng_state_all(torch.cuda.get_rng_state_all())
    with torch.random.fork_rng():
        torch.manual_seed(99)
    assert torch.cuda.get_rng_state().equal(state)


def test_generators():
    g = torch.Generator(device="cuda")
    assert g.device == torch.device("cuda:0") and g.initial_seed() == torch.Generator().initial_seed()
    g.manual_seed(3)
    assert g.get_offset() == 0 and g.clone_state().device == g.device
    g.set_offset(8)
    assert g.get_offset() == 8
    with pytest.raises(RuntimeError, match="multiple of 4"):
        g.set_offset(3)
    again = pickle.loads(pickle.dumps(g))
    assert again.device == g.device and again.get_offset() == 8 and again.initial_seed() == 3
    assert copy.deepcopy(g).initial_seed() == 3
    assert torch.cuda.default_generators[0].device == torch.device("cuda:0")


DRAWS = {
    "rand": lambda device, g: torch.rand(3, device=device, generator=g),
    "rand out": lambda device, g: torch.rand(3, out=torch.empty(2, device=device), generator=g),
    "randn": lambda device, g: torch.randn(3, device=device, generator=g),
    "randint": lambda device, g: torch.randint(9, (3,), device=device, generator=g),
    "randperm": lambda device, g: torch.randperm(3, device=device, generator=g),
    "rand_like": lambda device, g: torch.rand_like(torch.ones(3, device=device), generator=g),
    "normal": lambda device, g: torch.normal(torch.ones(3, device=device), 1.0, generator=g),
    "uniform_": lambda device, g: torch.ones(3, device=device).uniform_(generator=g),
    "exponential_": lambda device, g: torch.ones(3, device=device).exponential_(generator=g),
    "bernoulli": lambda device, g: torch.bernoulli(torch.ones(3, device=device), generator=g),
    "multinomial": lambda device, g: torch.multinomial(torch.ones(3, device=device), 1, generator=g),
}


@pytest.mark.parametrize("draw", DRAWS)
def test_a_generator_of_another_device(draw):
    for device, other in (("cuda", "cpu"), ("cpu", "cuda")):
        g = torch.Generator(device=other).manual_seed(4)
        state = g.get_state()
        with pytest.raises(RuntimeError, match=f"Expected a '{device}' device type for generator but found '{other}'"):
            DRAWS[draw](device, g)
        assert g.get_state().equal(state)


@pytest.mark.parametrize("draw", DRAWS)
def test_a_generator_of_the_other_gpu(draw, second):
    g = torch.Generator(device=second)
    with pytest.raises(RuntimeError, match="Expected a 'cuda:0' generator device but found 'cuda:1'"):
        DRAWS[draw]("cuda:0", g)
    assert g.get_offset() == 0
    assert DRAWS[draw](second, g).device == second


def test_what_is_refused_stays_as_it_was():
    a = torch.arange(4.0, device="cuda")
    for out in (a, a[:3]):
        with pytest.raises(RuntimeError, match="for generator"):
            torch.rand(3, out=out, generator=torch.Generator())
    with pytest.raises(RuntimeError, match="for generator"):
        a.normal_(generator=torch.Generator())
    assert a.tolist() == [0, 1, 2, 3]
    assert torch.rand(3, device="meta", generator=torch.Generator(device="cuda")).is_meta


def test_numbers_are_those_of_the_cpu():
    there = torch.rand(1000, device="cuda", generator=torch.Generator(device="cuda").manual_seed(5))
    here = torch.rand(1000, generator=torch.Generator().manual_seed(5))
    assert there.cpu().equal(here)
    torch.manual_seed(5)
    assert torch.rand(1000, device="cuda").cpu().equal(here)
    assert not torch.rand(1000, device="cuda").cpu().equal(here)
