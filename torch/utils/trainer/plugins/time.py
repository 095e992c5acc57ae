"""TimeMonitor."""

import time

from .monitor import Monitor


class TimeMonitor(Monitor):
    """Milliseconds from one iteration's end to the next's, in stats["time"]; 0 for the first one."""

    stat_name = "time"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{"unit": "ms", "precision": 0, **kwargs})
        self.last_time = None

    def _get_value(self, *event):
        now, before = time.perf_counter(), self.last_time
        self.last_time = now
        return 0.0 if before is None else 1000 * (now - before)
