"""The command line. A target imports only what it needs: nix/ gives the stub's derivation nothing else."""

import argparse
import pathlib
import sys

from . import output
from .errors import DeclarationError

HERE = pathlib.Path(__file__).parent
LIBRARIES = HERE.parent / "lib"
DECLARATIONS = HERE / "declarations"


def _functions(arguments, name):
    """What a library's public header, looked up in the include folders, declares: (all, its own)."""
    from . import headers

    header = next((path for path in (folder / name for folder in arguments.include) if path.exists()), None)
    if header is None:
        sys.exit(
            f"codegen: {name} is in none of {', '.join(map(str, arguments.include))}; name its folder with --include"
        )
    found = headers.read(header, arguments.include, arguments.cpp)
    return found, headers.declared_by(found, header.parent)


def _thpp(arguments):
    from .emitters import extension, thpp
    from .load import compiled

    declared = compiled(arguments.declarations)
    # which include TH.h
    functions = _functions(arguments, "THNN/THNN.h")[0] | _functions(arguments, "THS/THS.h")[0]
    thpp.emit(declared, functions, arguments.out)
    extension.emit(declared, arguments.out)


def _autograd(arguments):
    from .emitters import autograd
    from .load import compiled

    autograd.emit(compiled(arguments.declarations), arguments.out)


def _python(arguments):
    from .emitters import python
    from .load import compiled

    python.emit(compiled(arguments.declarations), arguments.out)


def _nn(arguments):
    from .emitters import nn

    nn.emit_python(nn.declarations(_functions(arguments, "THNN/THNN.h")[1]), arguments.out)


def _cuda_declared(arguments):
    """(overloads, THNN's functions, what THC.h, THCUNN.h and THCS.h declare)"""
    from .emitters import cuda, nn
    from .load import compiled

    overloads = [o for _, found in sorted(compiled(arguments.declarations).items()) for o in found]
    functions = _functions(arguments, "THNN/THNN.h")[1]
    own = {}
    for header in cuda.HEADERS:
        own |= _functions(arguments, header)[1]
    return overloads, nn.declarations(functions), own


def _cuda(arguments):
    from .emitters import cuda

    cuda.emit(*_cuda_declared(arguments), arguments.out)


def _cuda_coverage(arguments):
    from .emitters import cuda

    cuda.emit_coverage(*_cuda_declared(arguments), arguments.out)


def _slots(arguments):
    from .emitters import slots
    from .load import compiled

    overloads = [o for _, found in sorted(compiled(arguments.declarations).items()) for o in found]
    slots.emit("cpu", "libTHPP.so.1", slots.of_cpu(overloads), arguments.out)


def _cuda_slots(arguments):
    from .emitters import slots

    overloads, _, declared = _cuda_declared(arguments)
    slots.emit("cuda", "libtorch_cuda.so.1", slots.of_cuda(overloads, declared), arguments.out)


def _docs(arguments):
    from .emitters import docs, operators as named, python_bodies, sharding
    from .load import operators

    declared = operators(arguments.declarations)
    docs.emit(declared, arguments.out)
    python_bodies.emit(declared, arguments.out)
    named.emit(declared, arguments.out)
    sharding.emit(declared, arguments.out)


def _pyi(arguments):
    from .emitters import pyi
    from .load import operators

    pyi.emit(operators(arguments.declarations), arguments.out)


def _facts(arguments):
    from . import facts
    from .load import operators

    print(facts.report(operators(arguments.declarations)))


def _symbols(arguments):
    if arguments.exported:
        from . import exports

        return exports.read(arguments.header, arguments.exported, arguments.include, arguments.cpp)
    from . import headers

    [header] = arguments.header
    found = headers.read(header, arguments.include, arguments.cpp)
    return sorted(headers.declared_by(found, header.parent))


def _stub(arguments):
    from .emitters import stub

    stub.emit(_symbols(arguments), arguments.soname, arguments.out)


def _print_symbols(arguments):
    print("\n".join(_symbols(arguments)))


TARGETS = {  # name: (function, what it writes)
    "thpp": (
        _thpp,
        "include/THPP/{Functions,Kernels,TorchFunctions,TorchMethods}.h and src/Functions.cpp: the C++ tensor functions",
    ),
    "autograd": (
        _autograd,
        "autograd_<family>.cpp, autograd_table.cpp: for csrc/autograd, the nodes and recorders of operators with formulas",
    ),
    "python": (_python, "python_operators.cpp, python_<family>.cpp: tables and calls for csrc/python"),
    "nn": (_nn, "_THNN.cpp: the extension module over THNN"),
    "cuda": (
        _cuda,
        "rows.cpp: fills THPP's table of kernels with what THC.h, THCUNN.h and THCS.h declare; _THCUNN.cpp: the module over the second",
    ),
    "cuda-coverage": (
        _cuda_coverage,
        "coverage-cuda.md: how many kernels of each declaration THC.h, THCUNN.h and THCS.h declare",
    ),
    "slots": (_slots, "slots-cpu.json: the C functions in the CPU's rows of kernels, for tests/slots"),
    "cuda-slots": (_cuda_slots, "slots-cuda.json: those in the rows that THC, THCUNN and THCS fill"),
    "docs": (
        _docs,
        "_torch_docs.py, _python_bodies.py, _operators.py, _sharding.py: documentation for functions and methods; those whose "
        "bodies are Python; names and schemas of all for torch.ops; how they run on parts",
    ),
    "pyi": (
        _pyi,
        "_functions.pyi, _methods.pyi, return_types.pyi, …: type stubs of functions, methods and named tuples",
    ),
    "facts": (
        _facts,
        "prints counts of the tree: bodies by who writes them, sentences in two layers, questions for devices",
    ),
    "stub": (_stub, "SONAME.s: a library's symbols without code, to link against"),
    "symbols": (_print_symbols, "prints the symbols that a header declares, sorted"),
}


def main():
    parser = argparse.ArgumentParser(prog="python -m codegen", description="Writes C++, documentation and link stubs.")
    targets = parser.add_subparsers(dest="target", required=True, metavar="TARGET")
    for name, (run, text) in TARGETS.items():
        target = targets.add_parser(name, help=text, description=text)
        target.set_defaults(run=run)
        if name not in ("facts", "symbols"):
            target.add_argument("--out", required=True, type=pathlib.Path, help="folder to write to")
            target.add_argument("--clean", action="store_true", help="remove what else is in that folder")
        if name in (
            "thpp",
            "autograd",
            "python",
            "cuda",
            "cuda-coverage",
            "slots",
            "cuda-slots",
            "docs",
            "pyi",
            "facts",
        ):
            target.add_argument(
                "--declarations", type=pathlib.Path, default=DECLARATIONS, help="folder of .cwrap files"
            )
        if name in ("thpp", "nn", "cuda", "cuda-coverage", "cuda-slots", "stub", "symbols"):
            target.add_argument(
                "--include",
                type=pathlib.Path,
                action="append",
                help="folder of headers; may be repeated; default: lib/*/include of this checkout",
            )
            target.add_argument("--cpp", help="C compiler that preprocesses; default: $CC or gcc")
        if name in ("stub", "symbols"):
            target.add_argument(
                "--header",
                required=True,
                type=pathlib.Path,
                action="append",
                help="the library's public header; of a C++ library the folder of them, which may be repeated",
            )
            target.add_argument(
                "--exported",
                metavar="MACRO",
                help="the library is C++: what its headers mark with MACRO; --cpp is then the C++ compiler, default $CXX or g++",
            )
        if name == "stub":
            target.add_argument("--soname", required=True, help="such as libTH.so.1")
    arguments = parser.parse_args()
    if "include" in arguments and arguments.include is None:
        arguments.include = sorted(LIBRARIES.glob("*/include"))
    try:
        arguments.run(arguments)
        if getattr(arguments, "clean", False):
            output.remove_others(arguments.out)
    except DeclarationError as error:
        sys.exit(f"codegen: {error}")


if __name__ == "__main__":
    main()
