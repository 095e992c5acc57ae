"""The named tuples that functions with several results give: torch.max(a, 0) is a torch.return_types.max."""

from torch import _C


def __getattr__(name):
    """Each type is made where it is needed first: by a call, or here, for pickles."""
    if name == "histogramdd":
        from torch.functional import _HistogramDD

        return _HistogramDD
    from torch._python_bodies import RETURN_TYPES

    fields = RETURN_TYPES.get(name.removesuffix("_out"))
    if fields is None:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'")
    return _C._return_type(name, fields)
