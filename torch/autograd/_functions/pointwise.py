"""Functions of single elements."""

from torch.autograd._functions._made import classes, in_place, methods


def _scaled(name):
    def function(add, first, second, scale=1.0, inplace=False):
        return getattr(add, name + ("_" if inplace else ""))(first, second, value=scale)

    return function


functions = methods(
    """Log log Log1p log1p Sinh sinh Cosh cosh Abs abs Clamp clamp Sqrt sqrt Sin sin Cos cos Tan tan Asin asin Acos acos
    Atan atan Atan2 atan2 Erf erf ErfInv erfinv Reciprocal reciprocal Cmax maximum Cmin minimum Floor floor Ceil ceil
    Round round Sign sign Trunc trunc Frac frac Fmod fmod Remainder remainder Lerp lerp"""
)
functions |= {name: in_place(name.lower(), 1) for name in ("Exp", "Rsqrt", "Sigmoid", "Tanh")}
functions |= {
    "CmaxConstant": lambda i, constant: i.clamp(min=constant),
    "CminConstant": lambda i, constant: i.clamp(max=constant),
    "Addcmul": _scaled("addcmul"),
    "Addcdiv": _scaled("addcdiv"),
}
globals().update(classes(__name__, functions))
