"""torch.distributed in a build without it: is_available() says so."""


def is_available():
    """Whether this torch was built with torch.distributed."""
    return False


def is_initialized():
    """Whether the process has joined a group."""
    return False


def is_gloo_available():
    """Whether groups can talk by Gloo."""
    return False


def is_mpi_available():
    """Whether groups can talk by MPI."""
    return False


def is_nccl_available():
    """Whether groups can talk by NCCL."""
    return False


def is_torchelastic_launched():
    """Whether torchelastic has started this process."""
    import os

    return "TORCHELASTIC_RUN_ID" in os.environ


def __getattr__(name):
    raise AttributeError(f"torch.distributed has no '{name}': this torch is built without distributed support")
