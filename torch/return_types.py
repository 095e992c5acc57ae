"""The named tuples that functions with several results give: torch.max(a, 0) is a torch.return_types.max."""

from torch import _C

__all__ = [  # noqa: F822, PLE0604 - strings, made by __getattr__
    "all_return_types",
    "pytree_register_structseq",
    *"""
    aminmax aminmax_out cummax cummax_out cummin cummin_out frexp frexp_out geqrf geqrf_out histogram histogram_out
    histogramdd kthvalue kthvalue_out linalg_cholesky_ex linalg_cholesky_ex_out linalg_eig linalg_eig_out
    linalg_eigh linalg_eigh_out linalg_inv_ex linalg_inv_ex_out linalg_ldl_factor linalg_ldl_factor_ex
    linalg_ldl_factor_ex_out linalg_ldl_factor_out linalg_lstsq linalg_lstsq_out linalg_lu linalg_lu_factor
    linalg_lu_factor_ex linalg_lu_factor_ex_out linalg_lu_factor_out linalg_lu_out linalg_qr linalg_qr_out
    linalg_slogdet linalg_slogdet_out linalg_solve_ex linalg_solve_ex_out linalg_svd linalg_svd_out lu_unpack
    lu_unpack_out max max_out median median_out min min_out mode mode_out nanmedian nanmedian_out qr qr_out slogdet
    slogdet_out sort sort_out svd svd_out topk topk_out triangular_solve triangular_solve_out
    """.split(),
]


def pytree_register_structseq(cls):
    """Makes a type of named results one that torch.utils._pytree looks into: its results are the branches."""
    from torch.utils import _pytree

    _pytree.register_pytree_node(cls, lambda value: (list(value), None), lambda values, context: cls(values))


def __getattr__(name):
    """Each type is made where it is needed first: by a call, or here, for pickles."""
    if name == "all_return_types":
        return [__getattr__(one) for one in __all__ if one not in ("all_return_types", "pytree_register_structseq")]
    if name == "histogramdd":
        from torch.functional import _HistogramDD

        return _HistogramDD
    from torch._python_bodies import RETURN_TYPES

    fields = RETURN_TYPES.get(name.removesuffix("_out"))
    if fields is None:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'")
    return _C._return_type(name, fields)


def __dir__():
    return sorted({*globals(), *__all__})
