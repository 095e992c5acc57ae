"""The types that a declaration may use, and what each is in C, C++ and Python: one table."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Type:
    """One row of TYPES."""

    name: str  # as declarations write it
    python: str  # torch::python::ArgType
    cpp: str  # parameter type in THPP's functions; "" if the value stays in Python
    c: tuple[str, ...] = ()  # what TH's functions take for it, one or two parameters; () if they never see it
    call: str = "{}"  # the C++ expression handed to TH's function; {} is the parameter's name
    read: str = ""  # how a bound call reads parameter {}, {count} sizes; "" if the value stays in Python
    missing: str = ""  # the C++ default of a nullable parameter; "" if null makes no sense


# An `optional` parameter is spelled std::optional<cpp>; tensors and lists have an empty value of their own.
TYPES = {
    type.name: type
    for type in (
        Type("Tensor", "Tensor", "const Tensor &", ("THTensor*",), "{}.get()", "a.tensor({})", "Tensor()"),
        # int64, whatever the operator's dtype
        Type("IndexTensor", "Tensor", "const Tensor &", ("THTensor*",), "{}.get()", "a.tensor({})", "Tensor()"),
        Type(
            "Tensor[]",
            "TensorList",
            "TensorList",
            ("int", "const THTensor*const*"),
            "int({0}.size()), handles({0})",
            "a.tensors({})",
            "{}",
        ),
        Type("Scalar", "Scalar", "const Scalar &", ("THScalar",), "{}", "a.scalar({})", "std::nullopt"),
        Type("int", "Int", "int64_t", ("int64_t",), "{}", "a.integer({})", "std::nullopt"),
        Type("int32", "Int", "int64_t", ("int",), "int({})", "a.integer({})", "std::nullopt"),
        Type("float", "Float", "double", ("double",), "{}", "a.number({})", "std::nullopt"),
        Type("bool", "Bool", "bool", ("bool",), "{}", "a.boolean({})", "std::nullopt"),
        Type("char", "String", "char", ("char",), "{}", "*a.string({})"),
        Type("str", "String", "const char *", (), "{}", "a.string({})", "nullptr"),
        # sizes, strides, permutations
        Type(
            "int[]",
            "IntList",
            "IntList",
            ("int", "const int64_t*"),
            "int({0}.size()), {0}.data()",
            "a.integers({})",
            "IntList()",
        ),
        # the same, of which one number stands for all: a size per dimension
        Type(
            "Sizes",
            "IntList",
            "IntList",
            ("int", "const int64_t*"),
            "int({0}.size()), {0}.data()",
            "a.sizes({}, {count})",
            "IntList()",
        ),
        Type("float[]", "FloatList", "FloatList", (), "{}", "a.numbers({})", "FloatList()"),
        # a set of dimensions; empty means all of them
        Type("Dims", "IntList", "IntList", ("uint64_t",), "{}", "a.integers({})", "IntList()"),
        # consumed by the rule that chooses the dtype, never handed on
        Type("Dtype", "Dtype", "THDtype", (), "", "a.dtype({})", "std::nullopt"),
        Type("Generator", "Generator", "THGenerator *", ("THGenerator*",), "{}", "a.generator({})", "nullptr"),
        Type(
            "MemoryFormat",
            "MemoryFormat",
            "thpp::MemoryFormat",
            (),
            "{}",
            "a.memory_format({})",
            "std::nullopt",
        ),
        # any Python object; for operators whose body is Python
        Type("object", "Object", ""),
        # THNN's first parameter: what the backend of the tensors keeps for it
        Type("NNState", "Object", "", ("THNNState*",), "nn_state_of(on)"),
        # where a new tensor's elements are to be
        Type("Device", "Device", "THDevice", (), "{}", "a.device({})", "std::nullopt"),
        # checked while Python's arguments are bound, then dropped
        Type("Layout", "Layout", ""),
        Type("RequiresGrad", "RequiresGrad", ""),
        Type("PyBool", "Bool", ""),
    )
}

# Types whose empty value says "left out"; the others are wrapped in std::optional.
SELF_EMPTY = frozenset(
    {
        "Tensor",
        "IndexTensor",
        "Tensor[]",
        "str",
        "int[]",
        "float[]",
        "Dims",
        "Sizes",
        "Generator",
    }
)

# What a function may return, besides `self` and named outputs.
RETURNS = {
    "Tensor": "Tensor",
    "Tensor[]": "std::vector<Tensor>",
    "Tensor|Tensor[]": "std::variant<Tensor, std::vector<Tensor>>",
    "bool": "bool",
    "int": "int64_t",
    "void": "void",
}

# What an output may be: a tensor of the operator's dtype, or of int64.
OUTPUTS = ("Tensor", "IndexTensor")

# Words that may be defaults, and what C++ calls them.
WORDS = {
    "True": "true",
    "False": "false",
    "inf": "INFINITY",
    "torch.contiguous_format": "thpp::MemoryFormat::Contiguous",
}
