"""The compiler's exceptions: none of them is raised here."""


class TorchDynamoException(RuntimeError):  # noqa: N818 - torch's names, here and below
    """Something went wrong in the compiler."""


class InternalTorchDynamoError(TorchDynamoException):
    """A mistake of the compiler's."""


class RestartAnalysis(TorchDynamoException):
    """The compiler begins again."""


class TensorifyScalarRestartAnalysis(RestartAnalysis):
    """The same, with a number as a tensor."""


class SkipFrame(TorchDynamoException):
    """A function is left out."""


class ResetRequired(TorchDynamoException):
    """Two compilers in one process."""


class BackendCompilerFailed(TorchDynamoException):
    """A backend went wrong."""


class Unsupported(TorchDynamoException):
    """The compiler gives up."""


class UserError(Unsupported):
    """What the program asks cannot be compiled."""


class TorchRuntimeError(TorchDynamoException):
    """An operator went wrong while it was being compiled."""


class InvalidBackend(TorchDynamoException):
    """No backend has such a name."""


class RecompileError(TorchDynamoException):
    """Something had to be compiled once more."""


class FailOnRecompileLimitHit(TorchDynamoException):
    """Something had to be compiled too often."""
