"""What programs of torchdata 0.3 pass to a DataLoader."""

import warnings


def worker_init_fn(worker_id):
    """Nothing is left to do: each worker takes its part of a data pipe by itself. FutureWarning."""
    warnings.warn(
        "Usage of `backward_compatibility.worker_init_fn` is deprecated: DataLoader applies sharding in every worker",
        FutureWarning,
        stacklevel=2,
    )
