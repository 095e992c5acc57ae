"""Random numbers on Intel's GPUs. The names are those of torch.xpu."""

from torch._no_device import share

share(
    __name__,
    """get_rng_state get_rng_state_all initial_seed manual_seed manual_seed_all seed seed_all set_rng_state
    set_rng_state_all""",
)
