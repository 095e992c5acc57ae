"""Products; `alpha` is a factor of what is added to, `beta` of the product, the other way round than today."""

from torch.autograd._functions._made import classes


def _added(name):
    def function(add, first, second, alpha=1, beta=1, inplace=False):
        return getattr(add, name + ("_" if inplace else ""))(first, second, beta=alpha, alpha=beta)

    return function


functions = {name.capitalize(): _added(name) for name in ("addmm", "addbmm", "baddbmm", "addmv", "addr")}
globals().update(classes(__name__, {**functions, "Dot": lambda a, b: a.dot(b)}))
