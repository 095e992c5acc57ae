"""What a library's public C header declares: the preprocessor's output, read by pycparser.

System headers are replaced by a few typedefs (fake/), so the result does not depend on the compiler's
or libc's version.
"""

import dataclasses
import os
import pathlib
import shlex
import subprocess

from pycparser import c_ast, c_parser

from .errors import DeclarationError, Where

FAKE = pathlib.Path(__file__).parent / "fake"


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a C function."""

    type: str  # without spaces around *, "const THTensor*"
    name: str


@dataclasses.dataclass(frozen=True)
class Function:
    """A declaration of a C function."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: str
    where: Where = dataclasses.field(compare=False)


def read(header, include=(), cpp=None):
    """{name: Function} of everything that the header and what it includes declare."""
    header = pathlib.Path(header)
    command = [
        *shlex.split(cpp or os.environ.get("CC", "gcc")),
        "-E",
        "-x",
        "c",
        "-std=c11",
        "-nostdinc",
        "-undef",
        "-D__attribute__(x)=",
        "-I",
        str(FAKE),
        *(f"-I{path}" for path in include),
        str(header),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DeclarationError(Where(str(header), 1), f"the preprocessor failed: {shlex.join(command)}\n{done.stderr}")
    tree = c_parser.CParser().parse(done.stdout, str(header))
    functions = {}
    for node in tree.ext:
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl) and "static" not in node.storage:
            functions[node.name] = Function(
                node.name, _parameters(node.type), _type(node.type.type), Where(node.coord.file, node.coord.line)
            )
    return functions


def declared_by(functions, folder):
    """Those whose declaration stands below this folder: a library's own, not those of what it includes."""
    folder = pathlib.Path(folder).resolve()
    return {name: f for name, f in functions.items() if folder in pathlib.Path(f.where.file).resolve().parents}


def _parameters(function):
    found = function.args.params if function.args else []
    parameters = tuple(Parameter(_type(p.type), p.name or "") for p in found if not isinstance(p, c_ast.EllipsisParam))
    return () if parameters == (Parameter("void", ""),) else parameters


def _type(node):
    if isinstance(node, c_ast.TypeDecl):
        return " ".join([*node.quals, _type(node.type)])
    if isinstance(node, c_ast.IdentifierType):
        return " ".join(node.names).replace("_Bool", "bool")
    if isinstance(node, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        return f"{_type(node.type)}*{' '.join(getattr(node, 'quals', ()))}"
    if isinstance(node, (c_ast.Struct, c_ast.Union, c_ast.Enum)):
        return node.name or ""
    return "function"  # a pointer to one: nothing that a declaration can use
