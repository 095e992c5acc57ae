"""The types that schemas of operators are made of, as objects: torch.IntType.get(), torch.ListType(torch.TensorType.get()).

They print as annotations ("List[int]"), and as schemas write them by `str()` ("int[]"). Two are equal if they mean the same,
and `isSubtypeOf` says whether a value of one is one of the other. There is no script compiler here: types of scripted
classes, enumerations and interfaces are none of these.
"""

# ruff: noqa: N802 - PyTorch's names


def _require(value, who):
    if not isinstance(value, Type):
        raise TypeError(f"{who} expects a torch.Type, but got {type(value).__name__} {value!r}")
    return value


class Type:
    """What all of them are."""

    __module__ = "torch"
    __hash__ = None  # PyTorch's have none

    def __new__(cls, *args, **kwargs):
        if cls is Type or issubclass(cls, _Single):
            raise TypeError(f"torch.{cls.__name__}: No constructor defined!")
        return super().__new__(cls)

    def kind(self):
        """ "IntType"."""
        return type(self).__name__

    @property
    def annotation_str(self):
        """As Python annotates it: "List[int]"."""
        return str(self)

    def str(self):
        """As a schema writes it: "int[]"."""
        return str(self)

    def __repr__(self):
        return str(self)

    def containedTypes(self):
        """The types that it is made of."""
        return []

    def is_interface_type(self):
        """Whether it is one of a scripted interface: no."""
        return False

    def isSubtypeOf(self, other):
        """Whether a value of this type is one of the other."""
        _require(other, "isSubtypeOf")
        if isinstance(other, AnyType):
            return True
        if set_of := _members(other):
            return all(any(one._fits(each) for each in set_of) for one in _members(self) or (self,))
        if set_of := _members(self):
            return all(one.isSubtypeOf(other) for one in set_of)
        return self._fits(other)

    def _fits(self, other):
        return isinstance(other, AnyType) or self == other

    def _key(self):
        """What is the same for equal types."""
        return (type(self), *(one._key() for one in self.containedTypes()))

    def __eq__(self, other):
        return self._key() == _require(other, f"== of torch.{type(self).__name__}")._key()

    def __ne__(self, other):
        return not self == other

    # Of tensors alone; PyTorch stops at these with an assertion of its own.
    def _only_tensors(self, *args):
        raise RuntimeError(f"{self} is no type of a tensor: it has no dtype, device or sizes")

    dim = dtype = device = sizes = strides = scalarType = undefined = requires_grad = varyingSizes = _only_tensors


def _members(kind):
    """The types of a union, of which an optional type and a number are one, too; () for another type."""
    if isinstance(kind, NumberType):
        return (IntType.get(), FloatType.get(), ComplexType.get())
    if isinstance(kind, (UnionType, OptionalType)):
        parts = [*kind.containedTypes(), *([NoneType.get()] if kind.kind() == "OptionalType" else [])]
        return tuple(each for one in parts for each in _members(one) or (one,))
    return ()


# ---- types without parts -----------------------------------------------------------------------------------
class _Single(Type):
    """A type of which there is one object."""

    _text, _schema = "", None

    @classmethod
    def get(cls):
        """The type."""
        if "_only" not in cls.__dict__:
            cls._only = object.__new__(cls)
        return cls._only

    def __str__(self):
        return self._text

    def str(self):
        """As a schema writes it."""
        return self._schema or self._text

    def __reduce__(self):
        return type(self).get, ()


def _single(name, text, schema=None, doc=None):
    return type(
        name, (_Single,), {"_text": text, "_schema": schema, "__module__": "torch", "__doc__": f"The type of {doc}."}
    )


AnyType = _single("AnyType", "Any", doc="whatever there is")
BoolType = _single("BoolType", "bool", doc="True and False")
ComplexType = _single("ComplexType", "complex", doc="complex numbers")
DeviceObjType = _single("DeviceObjType", "Device", doc="devices")
FloatType = _single("FloatType", "float", doc="floating point numbers")
IntType = _single("IntType", "int", doc="integers; in schemas of dtypes, layouts and memory formats, too")
NoneType = _single("NoneType", "NoneType", doc="None")
NumberType = _single("NumberType", "number", "Scalar", doc="numbers: int, float or complex")
PyObjectType = _single("PyObjectType", "PyObject", doc="any object of Python's")
StreamObjType = _single("StreamObjType", "Stream", doc="streams")
StringType = _single("StringType", "str", doc="strings")
SymBoolType = _single("SymBoolType", "bool", "SymBool", doc="bools that may be unknown while a program is recorded")
SymIntType = _single("SymIntType", "int", "SymInt", doc="integers that may be unknown while a program is recorded")
# Those without a name of their own in `torch`.
_OTHER = {name: _single(f"{name}Type", name, doc=name) for name in ("Generator", "Storage", "Layout", "MemoryFormat")}


class TensorType(_Single):
    """The type of tensors, or of those of a dtype, device and sizes (create_from_tensor)."""

    __module__ = "torch"
    _text, _of = "Tensor", None

    @classmethod
    def getInferred(cls):
        """The type of an argument that nobody has annotated."""
        return cls.get()

    @classmethod
    def create_from_tensor(cls, tensor):
        """The type of tensors like this one."""
        return cls._made((tensor.dtype, tensor.device, list(tensor.shape), list(tensor.stride()), tensor.requires_grad))

    def _told(self, place, without=None):
        return without if self._of is None else self._of[place]

    def dtype(self):
        """The dtype, or None."""
        return self._told(0)

    def device(self):
        """The device, or None."""
        return self._told(1)

    def sizes(self):
        """The sizes, or None."""
        return self._told(2)

    varyingSizes = sizes

    def strides(self):
        """The strides, or None."""
        return self._told(3)

    def requires_grad(self):
        """Whether a gradient may be asked for."""
        return self._told(4, True)

    def dim(self):
        """The number of dimensions, or None."""
        return None if self._of is None else len(self._of[2])

    def undefined(self):
        """Whether it is of tensors that are not there."""
        return False

    def scalarType(self):
        """ "Float", or None."""
        return self._told(5) if self._of is None else self.str().partition("(")[0]

    def str(self):
        """As a graph writes it: "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)"."""
        if self._of is None:
            return "Tensor"
        import torch
        from torch._tensor_types import scalar_type

        dtype, device, sizes, strides, gradient = self._of
        name = scalar_type(torch.empty(0, dtype=dtype))
        words = [*map(str, sizes), f"strides={strides}", f"requires_grad={int(gradient)}", f"device={device}"]
        return f"{name}({', '.join(words)})"

    def _key(self):
        return (TensorType, repr(self._of))

    def _fits(self, other):
        return isinstance(other, AnyType) or (isinstance(other, TensorType) and (other._of is None or self == other))

    @classmethod
    def _made(cls, of):
        self = object.__new__(cls)
        self._of = of
        return self

    def __reduce__(self):
        return (TensorType._made, (self._of,)) if self._of else super().__reduce__()


# ---- types that are made of others -------------------------------------------------------------------------
class _OfOne(Type):
    def __init__(self, a, /):
        self._inner = _require(a, f"torch.{type(self).__name__}")

    def getElementType(self):
        """What it is made of."""
        return self._inner

    def containedTypes(self):
        return [self._inner]

    def __str__(self):
        return f"{self._text}[{self._inner}]"

    def str(self):
        return f"{self._text}[{self._inner.str()}]"


def _of_one(name, text, doc):
    return type(name, (_OfOne,), {"_text": text, "__module__": "torch", "__doc__": f"The type of {doc}."})


AwaitType = _of_one("AwaitType", "Await", "what is computed when it is waited for")
FutureType = _of_one("FutureType", "Future", "futures")
RRefType = _of_one("RRefType", "RRef", "references to what another process holds")


class ListType(_OfOne):
    """The type of lists."""

    __module__ = "torch"
    _text = "List"

    def str(self):
        return f"{self._inner.str()}[]"

    @staticmethod
    def ofTensors():
        """Lists of tensors."""
        return ListType(TensorType.get())

    @staticmethod
    def ofInts():
        """Lists of integers."""
        return ListType(IntType.get())

    @staticmethod
    def ofFloats():
        """Lists of floating point numbers."""
        return ListType(FloatType.get())

    @staticmethod
    def ofComplexDoubles():
        """Lists of complex numbers."""
        return ListType(ComplexType.get())

    @staticmethod
    def ofBools():
        """Lists of bools."""
        return ListType(BoolType.get())

    @staticmethod
    def ofStrings():
        """Lists of strings."""
        return ListType(StringType.get())


class OptionalType(_OfOne):
    """The type of what may be None."""

    __module__ = "torch"
    _text = "Optional"

    def __init__(self, a, /):
        super().__init__(a)
        if isinstance(a, NoneType):
            raise RuntimeError("torch.OptionalType: None alone is no optional type")
        if a.kind() == "OptionalType":  # optional twice is optional
            self._inner = a.containedTypes()[0]

    def str(self):
        return f"{self._inner.str()}?"

    @staticmethod
    def ofTensor():
        """A tensor or None."""
        return OptionalType(TensorType.get())

    def _key(self):
        return _key_of_union(self)


class DictType(Type):
    """The type of dicts."""

    __module__ = "torch"
    _KEYS = (IntType, BoolType, FloatType, ComplexType, TensorType, DeviceObjType, StringType, AnyType)

    def __init__(self, key, value, /):
        self._inner = _require(key, "torch.DictType"), _require(value, "torch.DictType")
        if not isinstance(key, self._KEYS):
            raise RuntimeError(
                f"Cannot create dict for key type '{key.str()}', only int, float, complex, Tensor, device and string keys "
                "are supported"
            )

    def getKeyType(self):
        """The type of the keys."""
        return self._inner[0]

    def getValueType(self):
        """The type of the values."""
        return self._inner[1]

    def containedTypes(self):
        return list(self._inner)

    def __str__(self):
        return f"Dict[{self._inner[0]}, {self._inner[1]}]"

    def str(self):
        return f"Dict({self._inner[0].str()}, {self._inner[1].str()})"


class TupleType(Type):
    """The type of tuples with these elements."""

    __module__ = "torch"

    def __init__(self, a, /):
        if not isinstance(a, (list, tuple)):
            raise TypeError(f"torch.TupleType expects a list of types, but got {type(a).__name__}")
        self._inner = [_require(one, "torch.TupleType") for one in a]

    def elements(self):
        """The types of the elements."""
        return list(self._inner)

    containedTypes = elements

    def __str__(self):
        return f"Tuple[{', '.join(map(str, self._inner)) or '()'}]"

    def str(self):
        return f"({', '.join(one.str() for one in self._inner)})"

    def _fits(self, other):
        if not isinstance(other, TupleType):
            return isinstance(other, AnyType)
        pairs = zip(self._inner, other._inner)
        return len(self._inner) == len(other._inner) and all(one.isSubtypeOf(each) for one, each in pairs)


class UnionType(Type):
    """The type of what is of one of several types."""

    __module__ = "torch"

    def __init__(self, a, /):
        if not isinstance(a, (list, tuple)):
            raise TypeError(f"torch.UnionType expects a list of types, but got {type(a).__name__}")
        flat = []
        for one in a:
            for each in _members(_require(one, "torch.UnionType")) or (one,):
                if not any(each == known for known in flat):
                    flat.append(each)
        if len(flat) < 2:
            raise RuntimeError(f"torch.UnionType: a union is made of two different types at least, not of {list(a)}")
        self._inner = flat

    def containedTypes(self):
        optional = self._optional()
        return optional.containedTypes() if optional else list(self._inner)

    def _optional(self):
        """What it is, if it is that or None; else None."""
        rest = [one for one in self._inner if not isinstance(one, NoneType)]
        return OptionalType(rest[0]) if len(rest) == 1 else None

    def kind(self):
        return "OptionalType" if self._optional() else "UnionType"

    def __str__(self):
        return str(self._optional() or f"Union[{', '.join(map(str, self._inner))}]")

    def str(self):
        optional = self._optional()
        return optional.str() if optional else f"Union({', '.join(one.str() for one in self._inner)})"

    def _key(self):
        return _key_of_union(self)


def _key_of_union(kind):
    keys = {one._key() for one in _members(kind)}
    return _NUMBERS if keys == _NUMBERS_SPELLED else (UnionType, frozenset(keys))


_NUMBERS = (NumberType,)
_NUMBERS_SPELLED = {(IntType,), (FloatType,), (ComplexType,)}


class InferredType:
    """A type that was found, or why none was."""

    __module__ = "torch"

    def __init__(self, type_or_reason, /):
        found = isinstance(type_or_reason, Type)
        if not found and not isinstance(type_or_reason, str):
            raise TypeError(f"torch.InferredType expects a torch.Type or a str, but got {type_or_reason!r}")
        self._type, self._reason = (type_or_reason, "") if found else (None, type_or_reason)

    def type(self):
        """The type. RuntimeError if there is none."""
        if self._type is None:
            raise RuntimeError(f"no type was found: {self._reason}")
        return self._type

    def success(self):
        """Whether a type was found."""
        return self._type is not None

    def reason(self):
        """Why none was."""
        return self._reason


def unify_type_list(types, /):
    """The type that values of all of them have: the first one that the others are subtypes of, or with None its optional
    type. RuntimeError where there is none."""
    if not types:
        raise RuntimeError("Cannot get unified type from empty list")
    found = types[0]
    for place, one in enumerate(types[1:], 1):
        if one.isSubtypeOf(found):
            continue
        if found.isSubtypeOf(one):
            found = one
        elif isinstance(one, NoneType) or isinstance(found, NoneType):
            found = OptionalType(found if isinstance(one, NoneType) else one)
        else:
            raise RuntimeError(
                f"Could not unify type list since element {place} of type {one} did not match the types before it ({found})"
            )
    return found


NAMES = frozenset(
    """AnyType AwaitType BoolType ComplexType DeviceObjType DictType FloatType FutureType InferredType IntType ListType NoneType
    NumberType OptionalType PyObjectType RRefType StreamObjType StringType SymBoolType SymIntType TensorType TupleType Type
    UnionType""".split()
)

_OF_SCHEMAS = {
    "Tensor": TensorType,
    "int": IntType,
    "SymInt": IntType,
    "float": FloatType,
    "bool": BoolType,
    "SymBool": BoolType,
    "str": StringType,
    "Dimname": StringType,
    "complex": ComplexType,
    "Scalar": NumberType,
    "Device": DeviceObjType,
    "Generator": _OTHER["Generator"],
    "Storage": _OTHER["Storage"],
    "Stream": StreamObjType,
    "Any": AnyType,
    "ScalarType": IntType,
    "Layout": IntType,
    "MemoryFormat": IntType,
}


def of_schema(written):
    """The type of a torch._library.schema.Type."""
    found = _OF_SCHEMAS[written.base].get()
    for mark in written.shape:
        found = OptionalType(found) if mark == "?" else ListType(found)
    return found
