"""Which prebuilt parts are still those of the tree: every kind of edit, on a small tree and on the real one.

The manifests are written by nix/manifest.sh itself, as the derivations do it.
"""

import os
import pathlib
import shutil
import subprocess

import pytest

from tools.parts import ROOT, parts
from tools.prebuilt import changed, objects, sources, stale

PREBUILT = [pathlib.Path(prefix) for prefix in os.environ.get("TORCH_PREBUILT", "").split(":") if prefix]
LIBRARY = ["lib/cmake/TorchFamilies.cmake", "lib/cmake/TorchLibrary.cmake"]
# THNN links TH's kit, which is compiled as TH is.
KIT_OF_TH = ["lib/TH/CMakeLists.txt", "lib/TH/src/kit/iterator.cpp"]
# What the parts of a small tree are made of, in the words of the derivations: files, and whole folders.
FILES = {
    "TH": ["lib/TH/CMakeLists.txt", "lib/TH/include/TH/TH.h", "lib/TH/src/tensor/general.cpp", *LIBRARY],
    "THNN": [
        "lib/THNN/CMakeLists.txt",
        "lib/THNN/include/THNN/THNN.h",
        "lib/THNN/src/activation/rectifiers.cpp",
        *LIBRARY,
        *KIT_OF_TH,
    ],
    "THS": [
        "lib/THS/CMakeLists.txt",
        "lib/THS/include/THS/THS.h",
        "lib/THS/src/product/spmm.cpp",
        *LIBRARY,
        *KIT_OF_TH,
    ],
    "THPP": ["lib/THPP/CMakeLists.txt", "lib/THPP/include/THPP/THPP.h", "lib/THPP/src/linalg/linear.cpp", *LIBRARY],
    "shm": [
        "lib/shm/CMakeLists.txt",
        "lib/shm/include/shm/shm.h",
        "lib/shm/src/client.cpp",
        "lib/shm/manager/manager.cpp",
        *LIBRARY,
    ],
    "torch": [
        "csrc/autograd/graph/engine.cpp",
        "csrc/autograd/include/autograd/node.h",
        "csrc/autograd/CMakeLists.txt",
    ],
    "torch_python": [
        "csrc/python/module/module.cpp",
        "csrc/python/include/torch_python/args.h",
        "csrc/python/CMakeLists.txt",
    ],
    "modules": ["csrc/modules/dl.c", "csrc/modules/CMakeLists.txt"],
    "codegen": ["codegen/load.py", "codegen/emitters/thpp.py", "codegen/declarations/arithmetic.cwrap"],
}
FOLDERS = {
    "TH": ["lib/TH/include", "lib/TH/src"],
    "THNN": ["lib/THNN/include", "lib/THNN/src", "lib/TH/src/kit"],
    "THS": ["lib/THS/include", "lib/THS/src", "lib/TH/src/kit"],
    "THPP": ["lib/THPP/include", "lib/THPP/src"],
    "shm": ["lib/shm/include", "lib/shm/src", "lib/shm/manager"],
    "torch": ["csrc/autograd"],
    "torch_python": ["csrc/python"],
    "modules": ["csrc/modules"],
    "codegen": ["codegen/emitters", "codegen/declarations"],
}
BOUND = {"torch_python", "modules"}
GENERATED = {"THPP", "torch", *BOUND}
ALL = {"TH", "THNN", "THS", "shm", *GENERATED}
# An edit, and the parts that a shell with everything prebuilt has to build after it.
EDITS = {
    "lib/TH/src/tensor/general.cpp": {"TH"},
    "lib/THNN/src/activation/rectifiers.cpp": {"THNN"},
    "lib/THPP/src/linalg/linear.cpp": {"THPP"},
    "lib/THS/src/product/spmm.cpp": {"THS"},
    "lib/TH/CMakeLists.txt": {"TH", "THNN", "THS"},
    "lib/TH/src/kit/iterator.cpp": {"TH", "THNN", "THS"},
    "lib/TH/include/TH/TH.h": ALL,
    "lib/THNN/include/THNN/THNN.h": ALL - {"TH", "THS", "shm"},
    "lib/THS/include/THS/THS.h": ALL - {"TH", "THNN", "shm"},
    "lib/shm/src/client.cpp": {"shm"},
    "lib/shm/manager/manager.cpp": {"shm"},
    "lib/shm/include/shm/shm.h": {"shm", *BOUND},
    "lib/THPP/include/THPP/THPP.h": GENERATED,
    "lib/cmake/TorchLibrary.cmake": {"TH", "THNN", "THS", "THPP", "shm"},
    "csrc/autograd/graph/engine.cpp": {"torch"},
    "csrc/autograd/include/autograd/node.h": {"torch", *BOUND},
    "csrc/python/module/module.cpp": {"torch_python"},
    "csrc/python/include/torch_python/args.h": BOUND,
    "csrc/modules/dl.c": {"modules"},
    "codegen/declarations/arithmetic.cwrap": GENERATED,
    "codegen/emitters/thpp.py": GENERATED,
    "README.md": set(),
    "torch/random.py": set(),
}


def write(root, path, text="as it was\n"):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def manifest(root, prefix, name, paths):
    """What the derivation of a part leaves in its prefix."""
    (prefix / "top").mkdir(parents=True)
    script = 'source "$0"; name=$1; shift; writeManifest "$name" "$@"; installManifest'
    subprocess.run(
        ["bash", "-euc", script, ROOT / "nix/manifest.sh", name, *paths],
        cwd=root,
        env={**os.environ, "NIX_BUILD_TOP": str(prefix / "top"), "out": str(prefix)},
        check=True,
    )
    return sources(name, [prefix])


def prefixes(root, store):
    """A prefix for each part of a tree, as the store has them."""
    for name, folders in FOLDERS.items():
        single = [file for file in FILES[name] if not any(file.startswith(folder + "/") for folder in folders)]
        manifest(root, store / name, name, [*single, *folders])
    return [store / name for name in FOLDERS]


@pytest.fixture
def small(tmp_path):
    """(a tree, prefixes that were made from it)"""
    root = tmp_path / "a tree"
    for path in {*sum(FILES.values(), []), "README.md", "torch/random.py"}:
        write(root, path)
    return root, prefixes(root, tmp_path / "store")


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A copy of this tree, to be edited; each test puts back what it has changed."""
    if not PREBUILT:
        pytest.skip("TORCH_PREBUILT does not name the parts in the store")
    root = tmp_path_factory.mktemp("real")
    for name in ("lib", "csrc", "codegen"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return root


# ---- one manifest


@pytest.fixture
def one(tmp_path):
    """(a tree, the manifest of a part that is made from the folder src and the file CMakeLists.txt)"""
    root = tmp_path / "tree"
    for path in ("src/a.cpp", "src/deep/b c.cpp", "CMakeLists.txt", "other.txt"):
        write(root, path)
    return root, manifest(root, tmp_path / "prefix", "part", ["CMakeLists.txt", "src"])


def test_nothing_has_changed(one):
    root, file = one
    assert "folder src" in file.read_text().splitlines()
    assert len(file.read_text().splitlines()) == 4
    assert changed(file, root) == set()
    write(root, "src/a.cpp")  # the same text again, another time stamp
    assert changed(file, root) == set()


def test_an_edited_file(one):
    root, file = one
    write(root, "src/deep/b c.cpp", "as it was")
    write(root, "CMakeLists.txt", "as it is\n")
    assert changed(file, root) == {"src/deep/b c.cpp", "CMakeLists.txt"}


def test_a_deleted_file(one):
    root, file = one
    (root / "src/a.cpp").unlink()
    (root / "CMakeLists.txt").unlink()
    assert changed(file, root) == {"src/a.cpp", "CMakeLists.txt"}


def test_a_deleted_folder(one):
    root, file = one
    shutil.rmtree(root / "src")
    assert changed(file, root) == {"src/a.cpp", "src/deep/b c.cpp"}


def test_a_new_file_in_a_folder(one):
    root, file = one
    write(root, "src/new.cpp", "")
    write(root, "src/further/new.hpp", "")
    assert changed(file, root) == {"src/new.cpp", "src/further/new.hpp"}


def test_a_file_that_was_moved(one):
    root, file = one
    (root / "src/a.cpp").rename(root / "src/z.cpp")
    assert changed(file, root) == {"src/a.cpp", "src/z.cpp"}


def test_what_is_beside_a_file_of_the_part_is_not_of_the_part(one):
    root, file = one
    write(root, "new.cpp", "")
    write(root, "other.txt", "edited")
    write(root, "src2/new.cpp", "")
    assert changed(file, root) == set()


@pytest.mark.parametrize(
    "path",
    ["src/__pycache__/a.cpython-313.pyc", "src/.pytest_cache/x", "src/.a.cpp.swp", "src/a.cpp~", "src/.#a.cpp"],
)
def test_what_tools_and_editors_leave_is_no_source(one, path):
    root, file = one
    write(root, path, "x")
    assert changed(file, root) == set()


def test_an_empty_new_folder_is_no_change(one):
    root, file = one
    (root / "src/empty").mkdir()
    assert changed(file, root) == set()


def test_the_first_prefix_that_has_a_manifest_is_asked(one, tmp_path):
    root, file = one
    write(root, "src/a.cpp", "later")
    later = manifest(root, tmp_path / "later", "part", ["CMakeLists.txt", "src"])
    (tmp_path / "empty").mkdir()
    assert sources("part", [tmp_path / "empty", tmp_path / "later", tmp_path / "prefix"]) == later
    assert sources("part", [tmp_path / "prefix", tmp_path / "later"]) == file
    assert sources("part", [tmp_path / "empty"]) is None
    assert sources("part", []) is None


# ---- all parts


def test_a_tree_as_it_was_has_nothing_to_build(small):
    root, store = small
    assert stale(store, root=root) == set()


def test_the_table_has_every_part():
    assert set(FILES) - {"codegen"} == set(parts()) == ALL, "a new part: say here which edits make it stale"


@pytest.mark.parametrize("path", EDITS)
def test_an_edit_of(small, path):
    root, store = small
    write(root, path, "edited\n")
    assert stale(store, root=root) == EDITS[path]
    write(root, path)
    assert stale(store, root=root) == set()


def test_a_library_that_was_linked_otherwise(small):
    """USE_MKLDNN says whether THNN is to have oneDNN; the store's has what its record says."""
    root, store = small
    (prefix,) = (prefix for prefix in store if prefix.name == "THNN")
    record = prefix / "share/torch/optional/THNN.txt"
    assert stale(store, root=root, mkldnn=False) == set() and stale(store, root=root, mkldnn=True) == {"THNN"}
    write(prefix, record.relative_to(prefix), "oneDNN\n")
    assert stale(store, root=root) == stale(store, root=root, mkldnn=True) == set()
    assert stale(store, root=root, mkldnn=False) == {"THNN"}


def test_two_edits_are_the_sum(small):
    root, store = small
    write(root, "lib/TH/src/tensor/general.cpp", "edited\n")
    write(root, "csrc/modules/dl.c", "edited\n")
    assert stale(store, root=root) == {"TH", "modules"}


def test_a_new_header_and_a_new_declaration(small):
    root, store = small
    write(root, "codegen/declarations/new.cwrap")
    assert stale(store, root=root) == GENERATED
    write(root, "lib/TH/include/TH/New.h")
    assert stale(store, root=root) == ALL


@pytest.mark.parametrize(
    ("missing", "built"),
    [
        ("TH", ALL),  # its headers are not known to be those that the others saw
        ("THNN", ALL - {"TH", "THS", "shm"}),
        ("torch_python", BOUND),
        ("modules", {"modules"}),
        ("codegen", GENERATED),
    ],
)
def test_a_part_that_no_prefix_has(small, missing, built):
    root, store = small
    assert stale([prefix for prefix in store if prefix.name != missing], root=root) == built


def test_without_prefixes_everything_is_to_be_built(small):
    assert stale([], root=small[0]) == ALL


# ---- objects of families

ONE, TWO, KIT = "lib/TH/src/reduce/scan.cpp", "lib/TH/src/reduce/norm.cpp", "lib/TH/src/kit/iterator.cpp"
HEADER, OWN = "lib/TH/src/kit/iterator.hpp", "lib/TH/src/reduce/reduce.hpp"
INCLUDES = {
    ONE: '#include "reduce.hpp"\n',
    TWO: "  # include <TH/TH.h>\n",
    OWN: '#include "kit/iterator.hpp"\n',
    KIT: '#include "../kit/iterator.hpp"\n',
}


@pytest.fixture
def families(small, tmp_path):
    """The small tree with two families in TH, and prefixes with their objects besides, as nix/objects.nix makes them."""
    root, _ = small
    for path in (ONE, TWO, KIT, HEADER, OWN):
        write(root, path, INCLUDES.get(path, ""))
    store = prefixes(root, tmp_path / "later")
    common = ["lib/TH/CMakeLists.txt", "lib/TH/include", *LIBRARY]
    for family, paths in {"reduce": ["lib/TH/src/reduce", HEADER], "kit": ["lib/TH/src/kit"]}.items():
        prefix = tmp_path / f"TH-{family}"
        manifest(root, prefix, f"TH.{family}", [*common, *paths])
        for source in (path for path in (ONE, TWO, KIT) if f"/{family}/" in path):
            write(prefix / "objects", source.replace("lib/TH/", "TH/") + ".o")
        store.append(prefix)
    return root, store


def linked(store, root, chosen=()):
    """The sources in whose place an object is linked."""
    found = objects(store, root=root, chosen=chosen)
    return {f"lib/{str(file).partition('/objects/')[2].removesuffix('.o')}" for file in found}


@pytest.mark.parametrize(
    ("edited", "taken"),
    [
        ([], set()),  # nothing is built, so nothing is linked
        ([ONE], {TWO, KIT}),
        ([KIT], {ONE, TWO}),
        ([ONE, KIT], {TWO}),
        ([OWN], {TWO, KIT}),
        ([HEADER], {TWO}),  # ONE includes it by the other header
        (["lib/TH/src/reduce/new.cpp"], {ONE, TWO, KIT}),
        (["lib/TH/src/reduce/new.hpp"], {ONE, TWO, KIT}),
        (["lib/TH/src/reduce/iterator.hpp"], {ONE, TWO, KIT}),
        (["lib/TH/src/reduce/kit/iterator.hpp"], {TWO, KIT}),  # it may stand before another of that name
        (["lib/TH/CMakeLists.txt"], set()),
        (["lib/TH/include/TH/TH.h"], {ONE, KIT}),
        (["lib/cmake/TorchFamilies.cmake"], set()),
        (["lib/THNN/src/activation/rectifiers.cpp"], {KIT}),  # TH is not built, and THNN links its kit
        (["lib/THNN/src/activation/rectifiers.cpp", KIT], {ONE, TWO}),
        (["lib/THPP/src/linalg/linear.cpp"], set()),
    ],
)
def test_what_was_not_edited_is_linked(families, edited, taken):
    root, store = families
    for path in edited:
        write(root, path, "edited\n")
    assert linked(store, root) == taken


@pytest.mark.parametrize(("gone", "taken"), [(ONE, {TWO, KIT}), (OWN, {TWO, KIT}), (HEADER, {TWO})])
def test_what_is_gone_leaves_no_object(families, gone, taken):
    root, store = families
    (root / gone).unlink()
    assert linked(store, root) == taken


def test_generated_objects_may_include_any_header(families, tmp_path):
    root, store = families
    prefix = tmp_path / "TH-generated"
    manifest(root, prefix, "TH.generated", ["lib/TH/include", "lib/TH/src/kit"])
    write(prefix / "objects", "TH/generated/table.cpp.o")
    generated = "lib/TH/generated/table.cpp"
    write(root, KIT, "edited\n")
    assert generated in linked([*store, prefix], root)
    write(root, HEADER, "edited\n")
    assert generated not in linked([*store, prefix], root)


def test_objects_saw_the_headers_of_what_they_need(small, tmp_path):
    """A part that needs another whose headers have changed is compiled, whatever its own files are."""
    root, store = small
    manifest(root, tmp_path / "THNN-loss", "THNN.loss", ["lib/THNN/src"])
    write(tmp_path / "THNN-loss/objects", "THNN/src/activation/rectifiers.cpp.o")
    store.append(tmp_path / "THNN-loss")
    write(root, "lib/THNN/src/new.cpp")
    assert linked(store, root) == {"lib/THNN/src/activation/rectifiers.cpp"}
    write(root, "lib/TH/include/TH/TH.h", "edited\n")
    assert linked(store, root) == set()


# ---- the store's own


def test_the_store_was_made_from_this_tree(real):
    for name in ("codegen", *parts()):
        file = sources(name, PREBUILT)
        assert file, f"no prefix of TORCH_PREBUILT says what {name} was made from"
        assert changed(file, real) == set(), name
    assert stale(PREBUILT, root=real) == set()


@pytest.mark.parametrize("path", [path for path, built in EDITS.items() if built])
def test_an_edit_of_the_real(real, path):
    before = (real / path).read_bytes()
    try:
        (real / path).write_bytes(before + b"\n")
        assert stale(PREBUILT, root=real) == EDITS[path]
    finally:
        (real / path).write_bytes(before)


def test_a_part_as_in_the_store_is_linked_from_the_stores_objects(families):
    """Because it was named, or because it had been edited and is again what it was."""
    root, store = families
    assert linked(store, root, chosen=["TH"]) == {ONE, TWO, KIT}
    assert linked(store, root, chosen=["THNN"]) == {KIT}
    before = (root / ONE).read_text()
    (root / ONE).write_text("edited")
    assert linked(store, root, chosen=["TH"]) == {TWO, KIT}
    (root / ONE).write_text(before)
    assert linked(store, root, chosen=["TH"]) == {ONE, TWO, KIT}


def test_an_edit_compiles_one_file_of_the_real(real):
    """All of TH's other objects are the store's."""
    every = {str(path.relative_to(real)) for path in (real / "lib/TH/src").rglob("*.cpp")}
    path = real / min(every)
    before = path.read_bytes()
    try:
        path.write_bytes(before + b"\n")
        assert linked(PREBUILT, real) == every - {min(every)}
    finally:
        path.write_bytes(before)
