"""Names of torch 1.0 that PyTorch has removed: they say what to write instead."""

_REMOVED = "This function was deprecated since version 1.9 and is now removed."
_TEXTS = {
    "symeig": (
        "`torch.linalg.eigh(A, UPLO='U')` is `torch.symeig(A, eigenvectors=True)`, and `torch.linalg.eigvalsh` has the "
        "eigenvalues alone. Without UPLO they read the lower triangle, where symeig read the upper one."
    ),
    "eig": (
        "`torch.linalg.eig(A)` has the eigenvalues and eigenvectors, and `torch.linalg.eigvals` the eigenvalues alone, as "
        "complex numbers; torch.eig had pairs of real ones."
    ),
    "lstsq": (
        "`torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`. That takes A first: "
        "`torch.linalg.lstsq(A, B).solution`. It has no QR decomposition, which `torch.linalg.qr` computes, and keeps "
        "residuals in a field of their own; torch.lstsq had them in the last rows of the solution."
    ),
    "solve": (
        "`torch.solve` is deprecated in favor of `torch.linalg.solve`. That takes A first: `torch.linalg.solve(A, B)`. "
        "The factors are those of `torch.linalg.lu_factor(A)`, for `torch.linalg.lu_solve`."
    ),
    "matrix_rank": "`torch.linalg.matrix_rank` calls the parameter `symmetric` `hermitian`.",
}


def _removed(name):
    raise RuntimeError(f"{_REMOVED} {_TEXTS[name]}")


def eig(self, eigenvectors=False, *, e=None, v=None):
    _removed("eig")


def lstsq(input, A, *, out=None):
    _removed("lstsq")


def matrix_rank(input, tol=None, symmetric=False, *, out=None):
    _removed("matrix_rank")


def solve(input, A, *, out=None):
    _removed("solve")


def symeig(input, eigenvectors=False, upper=True, *, out=None):
    _removed("symeig")
