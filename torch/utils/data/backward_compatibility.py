"""What older programs hand to DataLoader."""

import warnings


def worker_init_fn(worker_id):
    """Does nothing: DataLoader divides pipes among its workers by itself."""
    warnings.warn(
        "`backward_compatibility.worker_init_fn` is deprecated: `DataLoader` divides pipes among workers by itself",
        FutureWarning,
        stacklevel=2,
    )
