"""Schemas of operators: "ns::name.overload(Tensor x, int[2] k=1, *, float? eps=None) -> (Tensor, Tensor[])".

`parse` reads one; the names of the types, and how a schema is written back, are PyTorch's.
"""

import dataclasses
import re

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
        |(?P<number>[+-]?(?:inf\b|nan\b|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))
        |(?P<arrow>->)|(?P<name>[A-Za-z_][\w]*(?:::[A-Za-z_]\w*)*)|(?P<sign>[()\[\],=*?!.|]))""",
    re.VERBOSE,
)

# What a type is called in a schema: how it prints, and its kind. Those of the second group are ints to PyTorch's types.
_BASES = {
    "Tensor": ("Tensor", "TensorType"),
    "int": ("int", "IntType"),
    "SymInt": ("int", "IntType"),
    "float": ("float", "FloatType"),
    "bool": ("bool", "BoolType"),
    "SymBool": ("bool", "BoolType"),
    "str": ("str", "StringType"),
    "complex": ("complex", "ComplexType"),
    "Scalar": ("number", "NumberType"),
    "Device": ("Device", "DeviceObjType"),
    "Generator": ("Generator", "GeneratorType"),
    "Storage": ("Storage", "StorageType"),
    "Stream": ("Stream", "StreamObjType"),
    "Any": ("Any", "AnyType"),
    "ScalarType": ("int", "IntType"),
    "Layout": ("int", "IntType"),
    "MemoryFormat": ("int", "IntType"),
    "Dimname": ("str", "StringType"),
}
_DEVICES = ("cpu", "cuda", "meta")


@dataclasses.dataclass(frozen=True)
class Type:
    """A type of an argument. `base`: as schemas write it; `shape`: the marks behind it, of "?" and "[]", outermost
    last, such as ("?", "[]") for a list of optional things."""

    base: str
    shape: tuple = ()
    size: int | None = None  # of a list such as int[2], for which one int stands, too

    @property
    def real(self):
        """As a schema writes it, with what int stands for."""
        marks = "".join(f"[{self.size or ''}]" if mark == "[]" else mark for mark in self.shape)
        return self.base + marks

    def kind(self):
        """ "TensorType", "OptionalType", "ListType", …"""
        if self.shape:
            return "OptionalType" if self.shape[-1] == "?" else "ListType"
        return _BASES[self.base][1]

    def getElementType(self):  # noqa: N802 - PyTorch's name
        """What a list or an optional is made of."""
        if not self.shape:
            raise RuntimeError(f"{self} has no element type")
        return Type(self.base, self.shape[:-1])

    def __str__(self):
        text = _BASES[self.base][0]
        for mark in self.shape:
            text = f"Optional[{text}]" if mark == "?" else f"List[{text}]"
        return text

    __repr__ = __str__


@dataclasses.dataclass(frozen=True)
class AliasInfo:
    """What "(a! -> b)" behind a type says: which set it is an alias of, and whether it is written."""

    before_set: frozenset
    after_set: frozenset
    is_write: bool

    def __str__(self):
        before, after = "|".join(sorted(self.before_set)), "|".join(sorted(self.after_set))
        return f"({before}{'!' * self.is_write}{f' -> {after}' if after != before else ''})"


@dataclasses.dataclass(frozen=True)
class Argument:
    """One argument or result."""

    name: str
    real_type: Type  # in which a dtype is no int
    alias_info: AliasInfo | None = None
    default: tuple = ()  # of one value
    kwarg_only: bool = False

    @property
    def type(self):
        """The type, one of those of torch._library.types: torch.IntType, torch.ListType…"""
        from torch._library.types import of_schema

        return of_schema(self.real_type)

    @property
    def N(self):
        """The length that a list must have, or None."""
        return self.real_type.size

    @property
    def default_value(self):
        """None where there is none, too."""
        return self.default[0] if self.default else None

    def has_default_value(self):
        """Whether a call may leave it out."""
        return bool(self.default)

    @property
    def is_write(self):
        """Whether the operator writes it."""
        return self.alias_info is not None and self.alias_info.is_write

    @property
    def is_out(self):
        """Whether it is an out= argument: written, and by keyword only."""
        return self.kwarg_only and self.is_write

    def __str__(self):
        base, rest = self.real_type.base, self.real_type.real[len(self.real_type.base) :]
        text = f"{base}{self.alias_info or ''}{rest}"
        text += f" {self.name}" if self.name else ""
        return text + (f"={_written(self.default[0], self.real_type)}" if self.default else "")


class FunctionSchema:
    """A signature as PyTorch writes it: "aten::mm(Tensor self, Tensor mat2) -> Tensor"."""

    def __init__(self, text):
        self._given = text
        self.name, _, self.overload_name = text.partition("(")[0].strip().partition(".")

    def _read(self):
        # Read when somebody asks: torch.ops.aten has hundreds whose text is all that programs look at.
        reader = _Reader(self._given)
        self._arguments, self._returns = reader.signature()
        return self

    @property
    def arguments(self):
        """The list of its Arguments."""
        return list((self if hasattr(self, "_arguments") else self._read())._arguments)

    @property
    def returns(self):
        """Its results, as Arguments that may have no names."""
        return list((self if hasattr(self, "_returns") else self._read())._returns)

    @property
    def is_mutable(self):
        """Whether it writes one of its arguments."""
        return any(argument.is_write for argument in self.arguments)

    def __eq__(self, other):
        return isinstance(other, FunctionSchema) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __str__(self):
        if not hasattr(self, "_text"):
            name = self.name + (f".{self.overload_name}" if self.overload_name else "")
            words, keywords = [], False
            for argument in self.arguments:
                if argument.kwarg_only and not keywords:
                    words.append("*")
                    keywords = True
                words.append(str(argument))
            results = ", ".join(map(str, self.returns))
            single = len(self.returns) == 1 and not self.returns[0].name
            self._text = f"{name}({', '.join(words)}) -> {results if single else f'({results})'}"
        return self._text

    __repr__ = __str__


def parse(text):
    """The FunctionSchema, read to its end. RuntimeError, with the place, where it cannot be."""
    if "(" not in text:
        raise RuntimeError(f"Tried to parse a function schema but only the operator name was given: {text!r}")
    return FunctionSchema(text)._read()


def _written(value, type):
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, list):
        if (type.size or 0) > 1 and type.base == "int" and len(set(value)) == 1:
            return str(value[0])
        inner = type.getElementType() if type.shape else type
        return "[" + ", ".join(_written(each, inner) for each in value) + "]"
    if isinstance(value, float):
        return f"{int(value)}." if value.is_integer() and abs(value) < 1e6 else f"{value:.17g}"
    if isinstance(value, str) and type.base == "str":
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


class _Reader:
    """Tokens of a schema, and where in it they stand."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.tokens = []
        while self.at < len(text.rstrip()):
            found = _TOKEN.match(text, self.at)
            if not found:
                raise self.error(f"unexpected character {text[self.at]!r}", self.at)
            kind, word = found.lastgroup, found.group(found.lastgroup)
            if word in ("inf", "nan") and self.tokens and self.tokens[-1][1] not in ("=", "[", ","):
                kind = "name"  # an argument's
            self.tokens.append((kind, word, found.start(found.lastgroup)))
            self.at = found.end()
        self.next = 0

    def error(self, what, place):
        return RuntimeError(f"{what}:\n{self.text}\n{' ' * place}~ <--- HERE")

    def peek(self, ahead=0):
        place = self.next + ahead
        return self.tokens[place][1] if place < len(self.tokens) else None

    def take(self, *wanted):
        """The next token; an error if it is none of these words or kinds."""
        if self.next == len(self.tokens):
            raise self.error(f"expected {' or '.join(wanted)} but found 'eof' here", len(self.text))
        kind, word, place = self.tokens[self.next]
        if word not in wanted and kind not in wanted:
            raise self.error(f"expected {' or '.join(wanted)} but found '{word}' here", place)
        self.next += 1
        return word

    def skip(self, word):
        """Whether the next token is this one, which is then behind us."""
        here = self.peek() == word
        self.next += here
        return here

    # ---- the grammar --------------------------------------------------------------------------------------
    def signature(self):
        self.take("name")
        while self.skip("."):
            self.take("name")
        arguments, keywords = [], False
        self.take("(")
        more = not self.skip(")")
        while more:
            if not keywords and self.skip("*"):
                keywords = True
            else:
                arguments.append(self.argument(keywords))
            more = self.take(")", ",") == ","
        names = [argument.name for argument in arguments]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise self.error(f"argument '{twice}' stands twice", self.text.find(twice))
        self.take("->")
        returns = []
        if self.skip("("):
            more = not self.skip(")")
            while more:
                returns.append(self.result())
                more = self.take(")", ",") == ","
        else:
            returns.append(self.result())
        if self.next < len(self.tokens):
            raise self.error(f"unexpected '{self.peek()}' behind the schema", self.tokens[self.next][2])
        return tuple(arguments), tuple(returns)

    def type(self):
        place = self.tokens[self.next][2] if self.next < len(self.tokens) else len(self.text)
        base = self.take("name")
        if base not in _BASES:
            raise self.error(
                f"unknown type specifier '{base}': what there is are {', '.join(_BASES)}, lists of them (int[], "
                "Tensor[]) and optional ones (Tensor?)",
                place,
            )
        alias, shape, size = None, [], None
        while True:
            if alias is None and self.peek() == "(":
                alias = self.alias()
            elif self.skip("?"):
                shape.append("?")
            elif self.skip("["):
                if self.peek() != "]":
                    size = int(self.take("number"))
                self.take("]")
                shape.append("[]")
            else:
                return Type(base, tuple(shape), size), alias

    def alias(self):
        self.take("(")
        sets, written = [], False
        before = after = None
        while True:
            sets.append(self.take("name", "*"))
            written |= self.skip("!")
            if self.skip("|"):
                continue
            if self.skip("->"):
                before, sets = frozenset(sets), []
                continue
            self.take(")")
            break
        after = frozenset(sets)
        return AliasInfo(before or after, after, written)

    def argument(self, keywords):
        kind, alias = self.type()
        name = self.take("name")
        default = ()
        if self.skip("="):
            default = (self.default(kind),)
        return Argument(name, kind, alias, default, keywords)

    def result(self):
        kind, alias = self.type()
        name = self.take("name") if self.next < len(self.tokens) and self.tokens[self.next][0] == "name" else ""
        return Argument(name, kind, alias)

    def default(self, kind):
        value = self.value(kind)
        if kind.size and kind.shape[-1:] == ("[]",) and not isinstance(value, list) and value is not None:
            return [value] * kind.size
        return value

    def value(self, kind):
        if self.skip("["):
            values = []
            while not self.skip("]"):
                if values:
                    self.take(",")
                values.append(self.value(kind))
            return values
        group, word, place = self.tokens[self.next] if self.next < len(self.tokens) else ("", "eof", len(self.text))
        self.next += 1
        if group == "text":
            return word[1:-1].replace('\\"', '"').replace("\\'", "'").replace("\\\\", "\\")
        if group == "number":
            number = float(word) if kind.base == "float" or not word.lstrip("+-").isdigit() else int(word)
            return number
        known = {"None": None, "True": True, "False": False, "true": True, "false": False}
        if word in known:
            return known[word]
        if group == "name":
            return self.named(kind, word)
        raise self.error(f"expected a value but found '{word}' here", place)

    @staticmethod
    def named(kind, word):
        """Words that stand for values: dtypes, layouts, devices; Mean, which aten's losses have."""
        import torch

        if kind.base in ("ScalarType", "Layout", "MemoryFormat"):
            found = getattr(torch, word, None)
            return found if found is not None else word
        if kind.base == "Device" and word in _DEVICES:
            return torch.device(word)
        return {"Mean": 1, "Sum": 2}.get(word, word)
