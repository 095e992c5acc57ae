"""Any number of arguments of these types: Variadic[int]."""

from torch.fx.experimental.unification.multipledispatch.utils import typename

__all__ = ["Variadic", "VariadicSignatureMeta", "VariadicSignatureType", "isvariadic"]


class VariadicSignatureType(type):
    """The type of Variadic[...]: its subclasses are those types, and Variadic of fewer of them."""

    def __subclasscheck__(cls, subclass):
        other = subclass.variadic_type if isvariadic(subclass) else (subclass,)
        return subclass is cls or all(issubclass(kind, cls.variadic_type) for kind in other)

    def __eq__(cls, other):
        return isvariadic(other) and set(cls.variadic_type) == set(other.variadic_type)

    def __hash__(cls):
        return hash((type(cls), frozenset(cls.variadic_type)))


def isvariadic(obj):
    """Whether it is such a type."""
    return isinstance(obj, VariadicSignatureType)


class VariadicSignatureMeta(type):
    """The type of Variadic, which subscripting makes such types of."""

    def __getitem__(cls, variadic_type):
        if not (isinstance(variadic_type, (type, tuple)) or type(variadic_type)):
            raise ValueError("Variadic types must be type or tuple of types (Variadic[int] or Variadic[(int, float)]")
        kinds = variadic_type if isinstance(variadic_type, tuple) else (variadic_type,)
        return VariadicSignatureType(f"Variadic[{typename(kinds)}]", (), {"variadic_type": kinds, "__slots__": ()})


class Variadic(metaclass=VariadicSignatureMeta):
    """Any number of arguments."""
