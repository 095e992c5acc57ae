"""Some eigenvalues of large symmetric matrices: A x = e B x. Documented in codegen/declarations.

LOBPCG (Knyazev 2001): each step takes the best approximations from the span of the present ones, their residuals and
the last directions. Method "basic" solves that small problem by the Cholesky factor of the span's Gram matrix; method
"ortho" keeps an orthonormal basis of the span (Stathopoulos and Wu 2002), which survives columns that are dependent.
"""

import torch

_DEFAULT_STEPS = 1000


def lobpcg(
    A,
    k=None,
    B=None,
    X=None,
    n=None,
    iK=None,
    niter=None,
    tol=None,
    largest=None,
    method=None,
    tracker=None,
    ortho_iparams=None,
    ortho_fparams=None,
    ortho_bparams=None,
):
    m = A.shape[-1]
    assert A.shape[-2] == m, f"A must be square, got shape {A.shape}"
    for name, other in (("B", B), ("iK", iK)):
        assert other is None or other.shape == A.shape, (
            f"A and {name} must have same shape, got {A.shape} vs {other.shape}"
        )
    k = k if k is not None else 1 if X is None else X.shape[-1]
    n = X.shape[-1] if X is not None else k if n is None else n
    if m < 3 * n:
        raise ValueError(
            f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than 3 x the number of "
            f"requested eigenpairs (={n})"
        )
    if A.dtype not in (torch.float32, torch.float64):
        raise RuntimeError(f"lobpcg: expected a float or double matrix, but got {A.dtype}")
    if k < 1 or n < 1:
        raise ValueError(f"lobpcg: expected at least one eigenpair, but got k={k} and n={n}")
    iparams = {"m": m, "n": n, "k": k, "niter": _DEFAULT_STEPS if niter is None else niter, **(ortho_iparams or {})}
    fparams = {"tol": torch.finfo(A.dtype).eps ** 0.5 if tol is None else tol, **(ortho_fparams or {})}
    bparams = {"largest": True if largest is None else largest, **(ortho_bparams or {})}
    method = "ortho" if method is None else method
    if X is None:
        X = torch.randn((*A.shape[:-1], n), dtype=A.dtype, device=A.device)

    if A.dim() == 2:
        return LOBPCG(A, B, X, iK, iparams, fparams, bparams, method, tracker).run()
    found = []
    batch = A.shape[:-2]

    def matrices(t):
        return [None] * batch.numel() if t is None else t.reshape(-1, *t.shape[-2:])

    for i, (a, b, x, ik) in enumerate(zip(*map(matrices, (A, B, X, iK)))):
        found.append(LOBPCG(a, b, x, ik, {**iparams, "batch_index": i}, fparams, bparams, method, tracker).run())
    E, X = (torch.stack(parts) for parts in zip(*found)) if found else (A.new_empty(0, k), A.new_empty(0, m, k))
    return E.reshape(*batch, k), X.reshape(*batch, m, k)


class LOBPCG:
    """The iteration of one matrix; what a tracker sees."""

    def __init__(self, A, B, X, iK, iparams, fparams, bparams, method, tracker):
        self.A, self.B, self.iK = A, B, iK
        self.iparams, self.fparams, self.bparams = iparams, fparams, bparams
        self.method, self.tracker = method, tracker
        self.X = X
        self.E, self.R, self.S = A.new_zeros(iparams["n"]), torch.zeros_like(X), A.new_zeros(iparams["m"], 0)
        self.tvars, self.fvars, self.bvars = {}, {}, {"force_stop": False}
        self.ivars = {"istep": 0, "iterations_left": iparams["niter"], "converged_count": 0, "converged_end": 0}

    def run(self):
        """(E, X), the k best."""
        self._start()
        while not self._done():
            self._step()
        k = self.iparams["k"]
        return self.E[:k], self.X[:, :k]

    # ---- the iteration ----
    def _start(self):
        n = self.iparams["n"]
        X = self._orthonormal(self.X)
        if X.shape[1] < n:  # dependent columns: random ones in their place
            more = torch.randn(self.iparams["m"], n, dtype=X.dtype, device=X.device)
            X = torch.cat((X, self._orthonormal(more, X)), 1)[:, :n]
        norm = torch.linalg.matrix_norm
        length = norm(X)
        self.fvars["X_norm"] = float(length)
        self.fvars["A_norm"] = float(norm(self.A @ X) / length)
        self.fvars["B_norm"] = float(norm(self._B(X)) / length)
        self._rayleigh_ritz(X, 0)
        self._measure()

    def _step(self):
        known, n = self.ivars["converged_count"], self.iparams["n"]
        W = self.R[:, known:]
        if self.iK is not None:
            W = self.iK @ W
        P = self.S[:, n:] @ self._directions if self.S.shape[1] > n else None
        if self.method == "ortho":
            S = self.X
            for part in (P, W):
                if part is not None:
                    S = torch.cat((S, self._orthonormal(part, S)), 1)
        else:
            S = torch.cat((self.X, W) if P is None else (self.X, P, W), 1)
        if S.shape[1] == n:  # the span is invariant: nothing can be improved
            self.bvars["force_stop"] = True
            return
        self._rayleigh_ritz(S, known)
        self.ivars["istep"] += 1
        self.ivars["iterations_left"] -= 1
        self._measure()
        if self.tracker is not None:
            self.tracker(self)

    def _done(self):
        if self.bvars.get("force_stop") or self.ivars["iterations_left"] == 0:
            return True
        return self.ivars["converged_count"] >= self.iparams["n"]

    def _rayleigh_ritz(self, S, known):
        """Makes X the best approximations in the span of S, and keeps how they moved for the next step's directions."""
        n = self.iparams["n"]
        small = S.mT @ self.A @ S
        small = (small + small.mT) / 2
        if self.method == "ortho":
            E, C = torch.linalg.eigh(small)
        else:
            gram = S.mT @ self._B(S)
            scale = gram.diagonal().rsqrt()
            L = torch.linalg.cholesky(gram * scale * scale[:, None])
            half = torch.linalg.solve_triangular(L, small * scale * scale[:, None], upper=False)
            E, C = torch.linalg.eigh(torch.linalg.solve_triangular(L, half.mT, upper=False))
            C = scale[:, None] * torch.linalg.solve_triangular(L.mT, C, upper=True)
        if self.bparams["largest"]:
            E, C = E.flip(0), C.flip(1)
        if not bool(E.isfinite().all()):
            raise torch.linalg.LinAlgError("lobpcg: the matrix holds NaN or infinity, or numbers that are too large")
        self.E, C = E[:n], C[:, :n]
        self.X, self.S, self._directions = S @ C, S, C[n:, known:]

    def _measure(self):
        """Residuals, and how many of the first pairs are good enough."""
        self.R = self.A @ self.X - self._B(self.X) * self.E
        norm = torch.linalg.vector_norm
        size = self.fvars["A_norm"] + self.E.abs() * self.fvars["B_norm"]
        rerr = norm(self.R, dim=0) / (norm(self.X, dim=0) * size)
        self.tvars["rerr"] = torch.where(size == 0, 0, rerr)
        good = (self.tvars["rerr"] < self.fparams["tol"]).tolist()
        self.ivars["converged_count"] = (good + [False]).index(False)
        self.ivars["converged_end"] = self.S.shape[1]

    # ---- orthogonality, in the inner product that B makes ----
    def _B(self, X):
        return X if self.B is None else self.B @ X

    def _orthonormal(self, U, V=None):
        """A basis of what U's columns add to the span of V, which is orthonormal. Dependent columns are left out."""
        eps = torch.finfo(U.dtype).eps
        length = torch.linalg.vector_norm(U, dim=0)
        U = U[:, length > 0] / length[length > 0]
        for _ in range(3):  # rounding errors of one pass are what the next removes
            if V is not None:
                U = U - V @ (V.mT @ self._B(U))
            gram = U.mT @ self._B(U)
            scale = gram.diagonal().clamp(min=0)
            independent = scale > (10 * eps) ** 2
            U, gram = U[:, independent], gram[independent][:, independent]
            scale = gram.diagonal().rsqrt()
            E, Z = torch.linalg.eigh(gram * scale * scale[:, None])
            kept = E > 10 * eps * E.max() if len(E) else E > 0
            U = (U * scale) @ (Z[:, kept] / E[kept].sqrt())
        return U
