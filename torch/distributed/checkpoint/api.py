"""The error of checkpoints."""

from torch._absent import rest_of

__all__ = ["CheckpointException"]


class CheckpointException(BaseException):
    """Ranks have failed: `failures` has each one's exception, by rank."""

    def __init__(self, msg, failures):
        super().__init__(msg, failures)
        self._failures = failures

    @property
    def failures(self):
        """{rank: (exception, None)}"""
        return self._failures

    def __str__(self):
        lines = [f"rank {rank}: {type(error).__name__}: {error}" for rank, (error, _) in self._failures.items()]
        return "\n".join([f"{self.args[0]} failed on {len(lines)} ranks", *lines])


__getattr__, __dir__ = rest_of(__name__)
