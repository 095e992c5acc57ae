"""Arithmetic. Those with Constant have a number for one of their arguments."""

from torch.autograd._functions._made import classes, in_place


def _either_order(method, turned):
    """Of (tensor, number) or (number, tensor): the second as `turned` computes it of (tensor, number)."""

    def function(a, b, inplace=False):
        if not hasattr(a, "dtype"):
            return b.copy_(turned(b, a)) if inplace else turned(b, a)
        return getattr(a, method + ("_" if inplace else ""))(b)

    return function


globals().update(
    classes(
        __name__,
        {
            **{name: in_place(name.lower(), 2) for name in ("Add", "Sub", "Mul", "Div", "Pow")},
            "Negate": in_place("neg", 1),
            "AddConstant": _either_order("add", lambda t, number: t + number),
            "SubConstant": _either_order("sub", lambda t, number: number - t),
            "MulConstant": _either_order("mul", lambda t, number: t * number),
            "DivConstant": _either_order("div", lambda t, number: number / t),
            "PowConstant": _either_order("pow", lambda t, number: number**t),
        },
    )
)
