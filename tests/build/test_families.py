"""lib/cmake/TorchFamilies.cmake: a small library, compiled whole and family by family."""

import re
import subprocess

import pytest

from tools.parts import ROOT

PROJECT = f"""\
cmake_minimum_required(VERSION 3.20)
project(Small LANGUAGES CXX)
include({ROOT}/lib/cmake/TorchFamilies.cmake)
file(GLOB_RECURSE sources src/*.cpp)
torch_add_library(Small SOURCES ${{sources}} GENERATED ${{CMAKE_CURRENT_SOURCE_DIR}}/out/table.cpp)
"""
SOURCES = {
    "src/kit/kit.cpp": "int kit() { return KIT; }\n",
    "src/one/a.cpp": "int kit();\nint a() { return kit() + 1; }\n",
    "src/one/b.cpp": "int b() { return 2; }\n",
    "src/two/a.cpp": "int a();\nint two() { return a() + 2; }\n",
    "out/table.cpp": "int table() { return 4; }\n",
}


class Tree:
    def __init__(self, folder):
        self.folder = folder
        for path, text in {"CMakeLists.txt": PROJECT, **SOURCES}.items():
            self.write(path, text)

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def run(self, *command, status=0):
        done = subprocess.run(command, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == status, done.stdout
        return done.stdout

    def build(self, name, *arguments, configure=0):
        """The build folder, and the sources that were compiled."""
        output = self.run("cmake", "-G", "Ninja", "-S", ".", "-B", name, "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_CXX_FLAGS=-DKIT=1", *arguments, status=configure)  # fmt: skip
        if configure:
            return output
        output = self.run("ninja", "-C", name, "-v")
        return self.folder / name, {path for path in SOURCES if f"/{path}" in output.replace(f"{path}.o", "")}

    def family(self, name, *arguments):
        """Its objects, laid out as nix/objects.nix does it."""
        folder, compiled = self.build(f"family-{name}", f"-DTORCH_FAMILY={name}", *arguments)
        prefix = self.folder / f"store-{name}/objects"
        prefix.mkdir(parents=True)
        (prefix / "Small.txt").write_text((folder / "Small.txt").read_text())
        objects = []
        inside = "out" if name == "generated" else "src"
        for file in (folder / f"CMakeFiles/Small.dir/{inside}").rglob("*.o"):
            path = file.relative_to(folder / "CMakeFiles/Small.dir")
            target = prefix / "Small" / (f"generated/{file.name}" if name == "generated" else path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
            objects.append(str(target))
        expected = "out/" if name == "generated" else f"src/{name}/"
        assert compiled == {path for path in SOURCES if path.startswith(expected)}
        return objects


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "Small").mkdir()
    return Tree(tmp_path / "Small")


def library(folder):
    return (folder / "libSmall.so").read_bytes()


def test_compiled_apart_it_has_the_same_bits(tree):
    whole, compiled = tree.build("whole")
    assert compiled == set(SOURCES)
    objects = sum((tree.family(name) for name in ("two", "kit", "generated", "one")), [])
    for path in SOURCES:
        (tree.folder / path).unlink()
    linked, compiled = tree.build("linked", f"-DTORCH_OBJECTS={';'.join(objects)}")
    assert compiled == set()
    assert library(linked) == library(whole)


def test_what_has_no_object_is_compiled(tree):
    objects = [file for name in ("one", "two") for file in tree.family(name) if not file.endswith("b.cpp.o")]
    tree.write("src/one/b.cpp", "int b() { return 3; }\n")
    folder, compiled = tree.build("build", f"-DTORCH_OBJECTS={';'.join(objects)}")
    assert compiled == {"src/kit/kit.cpp", "src/one/b.cpp", "out/table.cpp"}
    symbols = tree.run("nm", "-D", "--defined-only", "-C", str(folder / "libSmall.so"))
    assert sorted(line.split()[-1] for line in symbols.splitlines()) == ["a()", "b()", "kit()", "table()", "two()"]


@pytest.mark.parametrize("otherwise", ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-DKIT=7"])
def test_objects_that_were_compiled_otherwise_are_not_taken(tree, otherwise):
    objects = tree.family("one")
    _, compiled = tree.build("build", f"-DTORCH_OBJECTS={';'.join(objects)}", otherwise)
    assert compiled == set(SOURCES)


def test_headers_are_precompiled_where_something_is_compiled(tree):
    tree.write("src/kit/all.h", "#define ALL 1\n")
    tree.write(
        "CMakeLists.txt",
        PROJECT + f"include({ROOT}/lib/cmake/TorchPrecompile.cmake)\ntorch_precompile(Small src/kit/all.h)\n",
    )
    objects = [file for family in ("kit", "one", "two", "generated") for file in tree.family(family)]
    folder, compiled = tree.build("linked", f"-DTORCH_OBJECTS={';'.join(objects)}")
    assert (compiled, list(folder.rglob("*.gch"))) == (set(), [])
    assert list((tree.folder / "family-one").rglob("*.gch"))


def test_a_family_that_is_not_there(tree):
    output = tree.build("build", "-DTORCH_FAMILY=three", configure=1)
    assert "Small: TORCH_FAMILY='three': there is no source of such a family" in output


# ---- another library's kit

USER = f"""\
cmake_minimum_required(VERSION 3.20)
project(User LANGUAGES CXX)
include({ROOT}/lib/cmake/TorchFamilies.cmake)
torch_add_library(User SOURCES ${{CMAKE_CURRENT_SOURCE_DIR}}/src/user.cpp KIT Small)
"""
GRAPH = """\
cmake_minimum_required(VERSION 3.20)
project(Graph LANGUAGES CXX)
add_subdirectory(Small)
add_subdirectory(User)
"""


@pytest.fixture
def user(tree):
    """The folder that holds Small and a library which is made with its kit."""
    top = Tree.__new__(Tree)
    top.folder = tree.folder.parent
    for path, text in {
        "CMakeLists.txt": GRAPH,
        "User/CMakeLists.txt": USER,
        "User/src/user.cpp": "int kit();\nint user() { return kit() + 5; }\n",
    }.items():
        top.write(path, text)
    return top


def compiled_by(top, source, name, *arguments):
    """The sources that were compiled, once for each time."""
    top.run("cmake", "-G", "Ninja", "-S", source, "-B", name, "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_CXX_FLAGS=-DKIT=1", *arguments)  # fmt: skip
    output = top.run("ninja", "-C", name, "-v")
    return sorted(re.findall(r" -c \S*?((?:Small|User)/(?:src|out)/\S+)", output.replace("User/../", "")))


def test_a_kit_is_linked_too(tree, user):
    kit, own = "Small/src/kit/kit.cpp", "User/src/user.cpp"
    assert compiled_by(user, "User", "alone") == [kit, own]
    objects = [*tree.family("kit"), *tree.family("one")]
    assert compiled_by(user, "User", "linked", f"-DTORCH_OBJECTS={';'.join(objects)}") == [own]
    built = compiled_by(user, ".", "graph")
    assert sorted(set(built)) == built and {kit, own, "Small/src/one/a.cpp"} <= set(built), "each of them once"
    rest = compiled_by(user, ".", "edited", f"-DTORCH_OBJECTS={';'.join(objects)}")
    assert rest == [path for path in built if "/kit/" not in path and "/one/" not in path]
    libraries = [user.folder / name / "libUser.so" for name in ("alone", "linked", "graph/User", "edited/User")]
    assert len({path.read_bytes() for path in libraries}) == 1
    symbols = user.run("nm", "-D", "--defined-only", "-C", str(libraries[0]))
    assert sorted(line.split()[-1] for line in symbols.splitlines()) == ["kit()", "user()"]


def test_what_is_left_of_a_kit_is_compiled(tree, user):
    objects = tree.family("kit")
    tree.write("src/kit/more.cpp", "int more() { return KIT; }\n")
    arguments = f"-DTORCH_OBJECTS={';'.join(objects)}"
    assert compiled_by(user, "User", "build", arguments) == ["Small/src/kit/more.cpp", "User/src/user.cpp"]
