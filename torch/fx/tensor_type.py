"""Types of tensors by their shapes, in which dimensions may be unknown."""

__all__ = ["Dyn", "TensorType", "is_consistent", "is_more_precise"]


class TensorType:
    """Tensors of this shape: TensorType((1, 2, Dyn)). Subscripting the class makes annotations."""

    def __init__(self, dim):
        self.__origin__ = TensorType
        self.__args__ = dim

    def __repr__(self):
        return f"TensorType[{self.__args__}]"

    def __eq__(self, other):
        return isinstance(other, type(self)) and list(self.__args__) == list(other.__args__)

    __hash__ = None
    dims = property(lambda self: self.__args__)

    @staticmethod
    def __class_getitem__(*args):
        if len(args) == 1 and isinstance(args[0], tuple):
            args = args[0]
        return TensorType(tuple(args))


class _DynType:
    """What is not known."""

    def __init__(self):
        self.__name__ = "_DynType"

    def __eq__(self, other):
        return isinstance(other, type(self))

    __hash__ = None

    def __str__(self):
        return "Dyn"

    __repr__ = __str__


Dyn = _DynType()


def _same_length(t1, t2):
    return isinstance(t1, TensorType) and isinstance(t2, TensorType) and len(t1.__args__) == len(t2.__args__)


def is_consistent(t1, t2):
    """Whether they may be the same type, were all known."""
    if t1 == t2 or t1 == Dyn or t2 == Dyn:
        return True
    return _same_length(t1, t2) and all(is_consistent(a, b) for a, b in zip(t1.__args__, t2.__args__))


def is_more_precise(t1, t2):
    """Whether `t1` says at least as much as `t2`."""
    if t1 == t2 or t2 == Dyn:
        return True
    return _same_length(t1, t2) and all(is_more_precise(a, b) for a, b in zip(t1.__args__, t2.__args__))
