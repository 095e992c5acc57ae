"""torch._dynamo: PyTorch's compiler of Python's bytecode, of which this torch has the class of what torch.compile makes
of a module, and nothing else."""

from . import eval_frame
from .eval_frame import OptimizedModule

__all__ = ["OptimizedModule", "eval_frame"]


def __getattr__(name):
    raise AttributeError(f"torch._dynamo has no '{name}': there is no compiler in this torch")
