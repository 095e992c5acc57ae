"""Options of a build, from the environment.

    DEBUG=1 MAX_JOBS=4 pip install .
    python -m tools.options          # every option, what it allows and what it is now
    python -m tools.options --docs   # the same without this machine's values

OPTIONS below is the only list: parsing, messages and the printed table derive from it. Whether USE_CUDA
and its like can be switched on is no constant here: a library of lib/libraries.toml that carries
`option = "cuda"` decides.

A build that silently ignores what it was told is found out an hour later, so nothing is ignored: `read`
refuses every value that is not allowed, every contradiction and every name that is nearly one of ours, all
in one message.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ROOT / "lib" / "libraries.toml"
VERSION = ROOT / "version.txt"

TRUE, FALSE = ("1", "ON", "TRUE", "YES", "Y"), ("0", "OFF", "FALSE", "NO", "N")

# What the compiler of CUDA 13 can make code for; sm_75 is the oldest it has. A letter means code for exactly
# that chip ("a") or its family ("f").
CUDA_ARCHES = ("7.5", "8.0", "8.6", "8.7", "8.8", "8.9", "9.0", "10.0", "10.3", "11.0", "12.0", "12.1")
CUDA_EXACT = ("9.0a", *(arch + letter for arch in CUDA_ARCHES[7:] for letter in "af"))

# A version as it will stand in the wheel's name: of PEP 440 the canonical spellings. Installers rewrite the
# others ("1.0-rc1" to "1.0rc1", "+007" to "+7"), and torch.__version__ would differ from what pip shows.
NUMBER = "(?:0|[1-9][0-9]*)"
CANONICAL = re.compile(
    rf"(?:[1-9][0-9]*!)?{NUMBER}(?:\.{NUMBER})*(?:(?:a|b|rc){NUMBER})?(?:\.post{NUMBER})?(?:\.dev{NUMBER})?"
    rf"(?:\+(?:{NUMBER}|[0-9]*[a-z][a-z0-9]*)(?:\.(?:{NUMBER}|[0-9]*[a-z][a-z0-9]*))*)?"
)
DISTRIBUTION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


class OptionError(ValueError):
    """The environment asks for what cannot be built. `problems` has one line for each reason."""

    def __init__(self, problems: list[str]):
        self.problems = tuple(problems)
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class Options:
    build_type: str  # "Release", "Debug" or "RelWithDebInfo"
    cuda: bool
    mkldnn: bool
    distributed: bool
    system_nccl: bool
    cuda_arch_list: tuple[str, ...]  # "8.0", "9.0a", "12.0+PTX"; empty: the build's own choice
    cmake_prefix_path: tuple[str, ...]  # where CMake looks for others' libraries; absolute, existing
    jobs: int  # commands at a time, at least 1
    verbose: bool  # every command's output goes to the screen too
    version: str  # of the package, canonical PEP 440
    package_name: str  # of the distribution; the module is always torch
    prebuilt: tuple[Path, ...]  # prefixes with parts that need not be built, the first one wins

    def cmake_arguments(self) -> list[str]:
        """The -D arguments that tell the top-level CMakeLists.txt what was chosen.

        An empty list is passed too: CMake would keep the last one in its cache otherwise.
        """
        prefixes = ";".join([*self.cmake_prefix_path, *map(str, self.prebuilt)])
        return [
            f"-DCMAKE_BUILD_TYPE={self.build_type}",
            f"-DTORCH_BUILD_VERSION={self.version}",
            f"-DCMAKE_PREFIX_PATH={prefixes}",
        ]


# Parsers: what a variable's text (never empty) means. ValueError says why it means nothing; the list of what
# is allowed is added by whoever catches it.


def boolean(text: str) -> bool:
    if text.upper() not in TRUE + FALSE:
        raise ValueError("neither yes nor no")
    return text.upper() in TRUE


def positive(text: str) -> int:
    if not re.fullmatch("[0-9]+", text) or int(text) < 1:
        raise ValueError("not a number of jobs")
    return int(text)


def version(text: str) -> str:
    if not CANONICAL.fullmatch(text):
        raise ValueError("not a canonical PEP 440 version")
    return text


def distribution(text: str) -> str:
    if not DISTRIBUTION.fullmatch(text):
        raise ValueError("not a valid distribution name")
    return text


def arches(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for entry in re.split(r"[;\s]+", text.strip("; \t\n")):
        if entry == "All":
            found += [*CUDA_ARCHES[:-1], CUDA_ARCHES[-1] + "+PTX"]
        elif entry.removesuffix("+PTX") in CUDA_ARCHES + CUDA_EXACT:
            found.append(entry)
        else:
            raise ValueError(f"{entry or text!r} is no known architecture")
    return tuple(dict.fromkeys(found))


def existing(pieces: list[str]) -> list[Path]:
    """Absolute paths of folders; one message for all that are missing."""
    folders = [Path(os.path.abspath(piece)) for piece in pieces if piece.strip()]
    if missing := [str(folder) for folder in folders if not folder.is_dir()]:
        raise ValueError(f"no such folder: {', '.join(missing)}")
    return folders


def folders(text: str) -> tuple[str, ...]:
    return tuple(map(str, existing(re.split("[:;]", text))))


def prefixes(text: str) -> tuple[Path, ...]:
    found = existing(text.split(":"))
    for prefix in found:
        if ";" in str(prefix):  # would be two entries of CMake's list
            raise ValueError(f"{prefix} has a semicolon in its name")
        if not (prefix / "lib").is_dir() and not (prefix / "python").is_dir():
            raise ValueError(f"{prefix} has neither lib/ nor python/")
    return tuple(found)


def processors() -> int:
    """Those that this process may use; a container often has fewer than the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def written_version() -> str:
    text = VERSION.read_text(encoding="utf-8").strip()
    try:
        return version(text)
    except ValueError as error:
        raise ValueError(f"{VERSION.name} says {text!r}: {error}") from None


@dataclass(frozen=True)
class Option:
    name: str
    field: str  # of Options; "debug" and "rel_with_deb_info" together make build_type
    parse: Callable[[str], object]
    allowed: str
    default: str  # for the reader; `initial` is its value
    initial: Callable[[], object]
    what: str
    aliases: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()  # aliases that say the opposite; booleans only
    feature: bool = False  # a library's `option` key may name the field

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.name, *self.aliases, *self.negations)


def switch(name: str, what: str, field: str = "", aliases=(), negations=(), feature=False) -> Option:
    """An option that is on or off, and off by default."""
    allowed = "/".join(map(" ".join, zip(TRUE, FALSE, strict=True))).replace(" ", "/")
    return Option(
        name,
        field or name.lower(),
        boolean,
        f"{allowed} in any case",
        "0",
        lambda: False,
        what,
        tuple(aliases),
        tuple(negations),
        feature,
    )


OPTIONS = (
    switch("DEBUG", "build type Debug: no optimisation, assertions, debug information"),
    switch("REL_WITH_DEB_INFO", "build type RelWithDebInfo: optimised, with debug information"),
    switch("USE_CUDA", "the libraries for NVIDIA's GPUs", "cuda", ["WITH_CUDA"], ["NO_CUDA"], feature=True),
    switch("USE_MKLDNN", "convolutions by oneDNN", "mkldnn", ["WITH_MKLDNN"], ["NO_MKLDNN"], feature=True),
    switch(
        "USE_DISTRIBUTED", "torch.distributed", "distributed", ["WITH_DISTRIBUTED"], ["NO_DISTRIBUTED"], feature=True
    ),
    switch(
        "USE_SYSTEM_NCCL",
        "the machine's NCCL instead of our own; needs USE_CUDA=1 and USE_DISTRIBUTED=1",
        "system_nccl",
        ["SYSTEM_NCCL"],
        ["NO_SYSTEM_NCCL"],
    ),
    Option(
        "TORCH_CUDA_ARCH_LIST",
        "cuda_arch_list",
        arches,
        f"All, or any of {' '.join(CUDA_ARCHES + CUDA_EXACT)}, each with or without +PTX, "
        "separated by blanks or semicolons",
        "the build's own choice",
        tuple,
        "the GPUs to make code for; needs USE_CUDA=1",
    ),
    Option(
        "CMAKE_PREFIX_PATH",
        "cmake_prefix_path",
        folders,
        "existing folders, separated by : or ;",
        "none",
        tuple,
        "where CMake looks for libraries of others first",
    ),
    Option(
        "TORCH_PREBUILT",
        "prebuilt",
        prefixes,
        "existing folders with lib/ or python/, separated by :",
        "none",
        tuple,
        "prefixes with parts that need not be built; what the tree builds wins over them",
    ),
    Option(
        "MAX_JOBS",
        "jobs",
        positive,
        "1, 2, 3, …",
        "the processors of this process",
        processors,
        "how many commands run at a time",
    ),
    switch("VERBOSE", "show every command and its output, not only in the log", aliases=["VERBOSE_SCRIPT"]),
    Option(
        "TORCH_BUILD_VERSION",
        "version",
        version,
        "a canonical PEP 440 version: 1.0.0, 1.1.0a0+ffd6138, 1.2.dev3",
        "what version.txt says",
        written_version,
        "the package's version",
        ("PYTORCH_BUILD_VERSION",),
    ),
    Option(
        "TORCH_PACKAGE_NAME",
        "package_name",
        distribution,
        "letters, digits and . _ - between them",
        "torch",
        lambda: "torch",
        "the distribution's name, as pip lists it; the module is torch whatever it is",
    ),
)

# Names that look like a misspelt option and are none: ours, read elsewhere, and other people's.
NO_OPTIONS = frozenset(
    {
        "TORCH_PACKAGE_SET",
        "TORCH_DEBIAN_MIRROR",
        "TORCH_SUBSTITUTERS",
        "TORCH_DIGITS",
        "TORCH_EXTENSIONS_DIR",
        "TORCH_HOME",
        "TORCH_SHOW_CPP_STACKTRACES",
        "TORCH_BUILD_TYPE",
        "TORCH_XPU_ARCH_LIST",
        "USE_CUDNN",
        "WITH_CUDNN",
        "NO_CUDNN",
        "USE_MKL",
        "WITH_MKL",
        "USE_SYSTEM_LIBS",
    }
)


def misspelt(environ: Mapping[str, str]) -> list[str]:
    """A message for each variable whose name is nearly, but not quite, a spelling of an option."""
    spellings = [spelling for option in OPTIONS for spelling in option.spellings]
    # Only names that begin as one of ours do: a machine's environment is full of others.
    beginnings = ("BUILD_", *{spelling.split("_")[0] + "_" for spelling in spellings if "_" in spelling})
    problems = []
    for name in sorted(environ):
        if name in spellings or name in NO_OPTIONS or not name.startswith(beginnings):
            continue
        if not environ[name].strip():
            continue
        if close := difflib.get_close_matches(name, spellings, n=1, cutoff=0.85):
            problems.append(f"{name}: unknown; did you mean {close[0]}?")
    return problems


def given(option: Option, environ: Mapping[str, str], problems: list[str]) -> dict[str, object]:
    """What each spelling of an option that is set says, as the option's own value; adds to the problems."""
    values = {}
    for spelling in option.spellings:
        text = environ.get(spelling, "").strip()
        if not text:
            continue
        try:
            value = option.parse(text)
            values[f"{spelling}={shlex.quote(text)}"] = not value if spelling in option.negations else value
        except ValueError as error:
            problems.append(f"{spelling}={shlex.quote(text)}: {error}; allowed: {option.allowed}")
    if len(set(values.values())) > 1:
        problems.append(f"{' and '.join(values)} contradict each other; {option.name} alone is enough")
    return values


def features(libraries: Mapping[str, Mapping]) -> dict[str, list[str]]:
    """Which libraries want which option: {"cuda": ["THC"], …}; ValueError for an option that there is not."""
    wanted: dict[str, list[str]] = {option.field: [] for option in OPTIONS if option.feature}
    for name, library in libraries.items():
        if (feature := library.get("option")) is None:
            continue
        if feature not in wanted:
            raise ValueError(f"lib/{LIBRARIES.name}: [{name}] option = {feature!r}; allowed: {', '.join(wanted)}")
        wanted[feature].append(name)
    return wanted


def contradictions(values: Mapping[str, object], asked: Mapping[str, str]) -> list[str]:
    """Options that exclude or need each other. `asked` has, by field, how the user wrote what is set."""
    problems = []
    if values["debug"] and values["rel_with_deb_info"]:
        problems.append(
            f"{asked['debug']} and {asked['rel_with_deb_info']} contradict each other; "
            "allowed: one of them, or neither for Release"
        )
    if values["system_nccl"] and not (values["cuda"] and values["distributed"]):
        problems.append(f"{asked['system_nccl']}: allowed only with USE_CUDA=1 and USE_DISTRIBUTED=1")
    if values["cuda_arch_list"] and not values["cuda"]:
        problems.append(f"{asked['cuda_arch_list']}: allowed only with USE_CUDA=1")
    return problems


def read(environ: Mapping[str, str] = os.environ, libraries: Mapping[str, Mapping] | None = None) -> Options:
    """The options that the environment asks for; `libraries` is lib/libraries.toml, read where not given.

    A variable that is empty is as good as not set. Raises OptionError with every problem there is, not only
    the first; ValueError where libraries.toml itself names an option that there is not.
    """
    if libraries is None:
        libraries = tomllib.loads(LIBRARIES.read_text(encoding="utf-8"))
    wanted = features(libraries)
    problems = misspelt(environ)
    values: dict[str, object] = {}
    asked: dict[str, str] = {}
    for option in OPTIONS:
        says = given(option, environ, problems)
        if says:
            asked[option.field], values[option.field] = next(iter(says.items()))
        else:
            try:
                values[option.field] = option.initial()
            except ValueError as error:
                problems.append(f"{error}; allowed: {option.allowed}")
                values[option.field] = None
        if option.feature and values[option.field] and not wanted[option.field]:
            said = asked[option.field]
            problems.append(
                f"{said}: no library of lib/{LIBRARIES.name} wants {option.field} yet; "
                f"allowed: {1 if said.split('=')[0] in option.negations else 0}"
            )
    problems += contradictions(values, asked)
    if problems:
        raise OptionError(problems)
    debug, with_information = values.pop("debug"), values.pop("rel_with_deb_info")
    build_type = "Debug" if debug else "RelWithDebInfo" if with_information else "Release"
    return Options(build_type=build_type, **values)


def table(environ: Mapping[str, str] | None = None) -> str:
    """Every option in a Markdown table; with an environment, what it sets there as well."""
    rows = [["option", "allowed", "default", "what it does", "also spelt"]]
    for option in OPTIONS:
        also = [*option.aliases, *(f"{negation} (the opposite)" for negation in option.negations)]
        rows.append([option.name, option.allowed, option.default, option.what, ", ".join(also)])
    if environ is not None:
        for row, option in zip(rows, [None, *OPTIONS], strict=True):
            row.insert(
                1,
                "now"
                if option is None
                else " ".join(
                    text if spelling == option.name else f"{spelling}={text}"
                    for spelling in option.spellings
                    if (text := environ.get(spelling, "").strip())
                ),
            )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows)


def main(arguments: list[str]) -> int:
    """Prints the table; then, unless it is for the documentation, what is wrong with this environment."""
    if arguments not in ([], ["--docs"]):
        print(f"usage: python -m tools.options [--docs]; got {shlex.join(arguments)}", file=sys.stderr)
        return 2
    print(table(None if arguments else os.environ))
    if not arguments:
        try:
            options = read()
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        print(f"\n{shlex.join(options.cmake_arguments())}\n{options.jobs} jobs at a time")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
