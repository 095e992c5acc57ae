"""What would make modules ready for phones: rewriting TorchScript, of which there is none here. Using it says so."""

import enum

__all__ = ["LintCode", "MobileOptimizerType", "generate_mobile_module_lints", "optimize_for_mobile"]


class MobileOptimizerType(enum.Enum):
    """The rewritings."""

    CONV_BN_FUSION = 1
    FUSE_ADD_RELU = 2
    HOIST_CONV_PACKED_PARAMS = 3
    INSERT_FOLD_PREPACK_OPS = 4
    REMOVE_DROPOUT = 5
    VULKAN_AUTOMATIC_GPU_TRANSFER = 6


class LintCode(enum.Enum):
    """What a check may find."""

    BUNDLED_INPUT = 1
    REQUIRES_GRAD = 2
    DROPOUT = 3
    BATCHNORM = 4


def _need(script_module, name):
    raise TypeError(
        f"{name}: a torch.jit.ScriptModule is expected, got {type(script_module).__name__}; this torch has no TorchScript to "
        "make one"
    )


def optimize_for_mobile(script_module, optimization_blocklist=None, preserved_methods=None, backend="CPU"):
    """Raises TypeError: there are no script modules."""
    _need(script_module, "optimize_for_mobile")


def generate_mobile_module_lints(script_module):
    """Raises TypeError: there are no script modules."""
    _need(script_module, "generate_mobile_module_lints")
