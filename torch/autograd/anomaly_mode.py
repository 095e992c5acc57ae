"""Anomaly mode: errors of the backward pass say which forward call they come from, and gradients with NaN are errors."""

from __future__ import annotations

import warnings

from torch import _C

__all__ = ["detect_anomaly", "set_detect_anomaly"]


class detect_anomaly:  # noqa: N801 - torch's name
    """A context in which each recorded call notes its traceback. A node that raises in the backward pass warns with it;
    with `check_nan`, one that computes a NaN raises RuntimeError. Slow: for finding errors."""

    def __init__(self, check_nan=True) -> None:
        self.prev = _C.is_anomaly_enabled()
        self.prev_check_nan = _C.is_anomaly_check_nan_enabled()
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        _C.set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *error: object) -> None:
        _C.set_anomaly_enabled(self.prev, self.prev_check_nan)


class set_detect_anomaly:  # noqa: N801 - torch's name
    """The same, switched on or off: at once, and until the end of a with statement, if it stands in one."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.prev = _C.is_anomaly_enabled()
        self.prev_check_nan = _C.is_anomaly_check_nan_enabled()
        _C.set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        _C.set_anomaly_enabled(self.prev, self.prev_check_nan)
