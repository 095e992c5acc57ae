"""oneDNN, formerly MKL-DNN, Intel's kernels for neural networks: settings that are remembered for when it is there."""

from torch.backends._precision import Precision, operation
from torch.backends._settings import Setting, has_settings

VERBOSE_OFF, VERBOSE_ON, VERBOSE_ON_CREATION = 0, 1, 2
conv = operation(f"{__name__}.conv", "mkldnn", "conv")
matmul = operation(f"{__name__}.matmul", "mkldnn", "matmul")
rnn = operation(f"{__name__}.rnn", "mkldnn", "rnn")

_module = has_settings(
    __name__,
    {
        "enabled": Setting(True, bool),  # whether it may be used
        "deterministic": Setting(False, bool),  # whether only deterministic algorithms are taken
        "allow_tf32": Setting(None, bool),  # whether products may be those of TF32
        "fp32_precision": Precision("mkldnn", "all"),
    },
)


def is_available():
    """Whether this build has oneDNN."""
    return False


def is_acl_available():
    """Whether oneDNN was built with Arm's compute library."""
    return False


class verbose:  # noqa: N801 - torch's name
    """A context in which oneDNN prints what it does: `level` is VERBOSE_OFF, VERBOSE_ON or VERBOSE_ON_CREATION.
    Without oneDNN there is nothing to print."""

    def __init__(self, level):
        self.level = level

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def set_flags(_enabled=None, _deterministic=None, _allow_tf32=None, _fp32_precision="none"):
    """Sets what is not None (or "none"); returns the values before."""
    return _module._set(
        enabled=_enabled, deterministic=_deterministic, allow_tf32=_allow_tf32, fp32_precision=_fp32_precision
    )


def flags(enabled=False, deterministic=False, allow_tf32=True, fp32_precision="none"):
    """A context in which the settings are these, also those that are not given."""
    return _module._changed(
        enabled=enabled, deterministic=deterministic, allow_tf32=allow_tf32, fp32_precision=fp32_precision
    )
