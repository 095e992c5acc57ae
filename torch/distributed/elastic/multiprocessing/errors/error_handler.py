"""Where a process writes down why it failed: a JSON file that torchrun names in TORCHELASTIC_ERROR_FILE."""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import time
import traceback

__all__ = ["ErrorHandler"]

logger = logging.getLogger(__name__)


class ErrorHandler:
    """Writes exceptions to the file that TORCHELASTIC_ERROR_FILE names; to the log where it names none."""

    def _get_error_file_path(self) -> str | None:
        return os.environ.get("TORCHELASTIC_ERROR_FILE") or None

    def initialize(self) -> None:
        """Called first: fatal signals print where each thread is."""
        try:
            faulthandler.enable(all_threads=True)
        except (OSError, RuntimeError, ValueError) as error:  # stderr is no file
            logger.warning("fatal signals will print no stack: %s", error)

    def record_exception(self, e: BaseException) -> None:
        """Writes what was raised, and where."""
        now = time.time()
        self._write(
            {
                "message": {
                    "message": f"{type(e).__name__}: {e}",
                    "extraInfo": {
                        "py_callstack": "".join(traceback.format_exception(e)),
                        "timestamp": str(int(now)),
                        "time": now,  # who failed first is a matter of milliseconds
                    },
                }
            }
        )

    def override_error_code_in_rootcause_data(self, rootcause_error_file, rootcause_error, error_code: int = 0):
        """Puts the exit code of the process that failed first into what it wrote."""
        message = rootcause_error.get("message")
        if isinstance(message, dict):
            message["errorCode"] = error_code
        else:
            logger.warning("%s holds no place for an exit code", rootcause_error_file)

    def dump_error_file(self, rootcause_error_file: str, error_code: int = 0):
        """Passes on what a child wrote: to this process's own file, for whoever started it."""
        with open(rootcause_error_file) as file:
            said = json.load(file)
        self._pass_on(said, rootcause_error_file, error_code)

    def _pass_on(self, said, source, error_code):
        if error_code:
            self.override_error_code_in_rootcause_data(source, said, error_code)
        self._write(said)

    def _write(self, said):
        path = self._get_error_file_path()
        text = json.dumps(said)
        if path is None:
            logger.error("%s", text)
            return
        # Whole or not at all: torchrun may look at any time.
        unfinished = f"{path}.{os.getpid()}"
        try:
            with open(unfinished, "w") as file:
                file.write(text)
            os.replace(unfinished, path)
        except OSError as error:
            logger.error("cannot write to %s (%s): %s", path, error, text)  # noqa: TRY400 - of another exception
