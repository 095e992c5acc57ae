"""The seed and state of the process's own random numbers."""

from torch._C import default_generator


def manual_seed(seed):
    """Start the stream of `seed` (an int of 64 bits; negative ones count from the end). Returns the generator."""
    return default_generator.manual_seed(int(seed))


def seed():
    """Start a stream that nobody can foresee, and return its seed."""
    return default_generator.seed()


def initial_seed():
    """The seed of the current stream."""
    return default_generator.initial_seed()


def get_rng_state():
    """Seed and position in the stream, as a uint8 tensor."""
    return default_generator.get_state()


def set_rng_state(new_state):
    """Go on from where get_rng_state() was called."""
    default_generator.set_state(new_state)
