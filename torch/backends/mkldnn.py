"""oneDNN, formerly MKL-DNN, Intel's kernels for neural networks. Convolutions of float32 use it where it is there, and
faster than the kernels of THNN. Settings are remembered where it is not.

Results are the same bits for any number of threads, whatever `deterministic` is.
"""

from torch import _C
from torch.backends._precision import Precision, operation
from torch.backends._settings import Setting, has_settings

VERBOSE_OFF, VERBOSE_ON, VERBOSE_ON_CREATION = 0, 1, 2
conv = operation(f"{__name__}.conv", "mkldnn", "conv")
matmul = operation(f"{__name__}.matmul", "mkldnn", "matmul")
rnn = operation(f"{__name__}.rnn", "mkldnn", "rnn")


class _Enabled(Setting):
    """Whether it may be used, in all threads."""

    def read(self, owner):
        return _C._get_mkldnn_enabled()

    def write(self, owner, value):
        super().write(owner, value)
        _C._set_mkldnn_enabled(value)

    def keep(self, owner):
        value = self.read(owner)
        return lambda: _C._set_mkldnn_enabled(value)


_module = has_settings(
    __name__,
    {
        "enabled": _Enabled(True, bool),
        "deterministic": Setting(False, bool),  # whether only deterministic algorithms are taken
        "allow_tf32": Setting(None, bool),  # whether products may be those of TF32
        "fp32_precision": Precision("mkldnn", "all"),
    },
)


def is_available():
    """Whether this build has oneDNN."""
    return _C._has_mkldnn


def is_acl_available():
    """Whether oneDNN was built with Arm's compute library."""
    return False


class verbose:  # noqa: N801 - torch's name
    """A context in which oneDNN prints what it does: `level` is VERBOSE_OFF, VERBOSE_ON (what it runs) or
    VERBOSE_ON_CREATION (what it makes, too). Without oneDNN there is nothing to print."""

    def __init__(self, level):
        self.level = level

    def __enter__(self):
        if self.level != VERBOSE_OFF:
            _C._set_mkldnn_verbose(self.level)
        return self

    def __exit__(self, *error):
        if self.level != VERBOSE_OFF:
            _C._set_mkldnn_verbose(VERBOSE_OFF)
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
