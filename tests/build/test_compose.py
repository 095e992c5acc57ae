"""Composing torch/ from the parts: who wins, what is left alone, and that no moment is without a library."""

import os
import sysconfig
import threading

import pytest

from tools import cmake, compose
from tools.parts import FEATURES, added, parts

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
FOREIGN = ".cpython-27m-x86_64-linux-gnu.so"
LIBRARIES = [name for name in parts() if name != "modules"]
SOURCES = {"__init__.py": "code", "random.py": "code", "_thnn/__init__.py": "code", "utils/notes.txt": "mine"}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def prefix(folder, *names, docs=False):
    """A prefix with these parts in it; each file says which prefix and part it is from."""
    for name in names:
        said = f"{folder.name} {name}"
        if name == "modules":
            for module in ("_C", "_dl", "_thnn/_THNN"):
                write(folder / f"python/torch/{module}{SUFFIX}", said)
            write(folder / "include/torch/extension.h", said)
            write(folder / "share/cmake/Torch/TorchConfig.cmake", said)
        else:
            write(folder / f"lib/lib{name}.so.1", said)
            write(folder / f"include/{parts(FEATURES)[name].headers}/{name}.h", said)
            if program := parts(FEATURES)[name].program:
                write(folder / f"bin/{program}", said)
    if docs:
        write(folder / "python/torch/_torch_docs.py", f"{folder.name} docs")
    return folder


@pytest.fixture
def torch(tmp_path, monkeypatch):
    """The package folder of a checkout in which nothing has been built."""
    root = tmp_path / "checkout"
    package = root / "torch"
    for path, text in SOURCES.items():
        write(package / path, text)
    monkeypatch.setattr(compose, "ROOT", root)
    monkeypatch.setattr(compose, "PACKAGE", package)
    monkeypatch.setattr(cmake, "PREFIX", root / "build/tmp_install")
    monkeypatch.setattr(cmake, "_ENVIRONMENT_FILE", root / "build/tmp_install/environment.txt")
    return package


@pytest.fixture
def store(tmp_path):
    """Every part in a prefix of its own, and the documentation apart, as in the shell."""
    found = [prefix(tmp_path / "store" / name, name) for name in parts()]
    return [*found, prefix(tmp_path / "store/docs", docs=True)]


def build(*names, docs=False):
    """Parts built in the tree, by the compiler and for the Python of now."""
    prefix(cmake.PREFIX, *names, docs=docs)
    write(cmake.PREFIX / "environment.txt", cmake.environment())


def listing(package):
    """Every path in the package: what makes it that very file or link."""
    return {
        str(path.relative_to(package)): (path.lstat().st_ino, path.lstat().st_mtime_ns)
        for path in sorted(package.rglob("*"))
    }


def unharmed(package):
    return all((package / path).read_text() == text for path, text in SOURCES.items())


# ---- what is linked


def test_everything_from_the_store(torch, store, tmp_path):
    compose.link(store)
    for name in LIBRARIES:
        assert os.readlink(torch / f"lib/lib{name}.so.1") == str(tmp_path / f"store/{name}/lib/lib{name}.so.1")
        assert (torch / f"lib/include/{parts()[name].headers}/{name}.h").read_text() == f"{name} {name}"
    for module in ("_C", "_dl", "_thnn/_THNN"):
        assert (torch / f"{module}{SUFFIX}").read_text() == "modules modules"
    assert (torch / "_torch_docs.py").read_text() == "docs docs"
    assert (torch / "lib/THNN.h").read_text() == "THNN THNN"
    assert (torch / "share/cmake/Torch/TorchConfig.cmake").read_text() == "modules modules"
    assert (torch / "lib/include/torch/extension.h").read_text() == "modules modules"
    assert unharmed(torch)


def test_programs_are_linked_and_can_be_run_where_they_are_copied(torch, store, tmp_path):
    compose.link(store)
    assert os.readlink(torch / "bin/torch_shm_manager") == str(tmp_path / "store/shm/bin/torch_shm_manager")
    package = tmp_path / "site/torch"
    compose.install(package, store)
    assert os.access(package / "bin/torch_shm_manager", os.X_OK)
    assert (package / "bin/torch_shm_manager").read_text() == "shm shm"
    compose.unlink()
    assert not (torch / "bin").exists() and unharmed(torch)


def test_what_is_built_in_the_tree_wins(torch, store):
    build("THNN", docs=True)
    compose.link(store)
    assert os.readlink(torch / "lib/libTHNN.so.1") == "../../build/tmp_install/lib/libTHNN.so.1"
    assert (torch / "lib/libTHNN.so.1").read_text() == "tmp_install THNN"
    assert (torch / "lib/THNN.h").read_text() == "tmp_install THNN"
    assert (torch / "lib/include/THNN/THNN.h").read_text() == "tmp_install THNN"
    assert (torch / "_torch_docs.py").read_text() == "tmp_install docs"
    assert (torch / "lib/libTH.so.1").read_text() == "TH TH"


def test_everything_built_in_the_tree(torch):
    build(*parts(), docs=True)
    compose.link([])
    assert {path.read_text() for path in torch.rglob("*.so*")} == {f"tmp_install {name}" for name in parts()}
    for path in torch.rglob("*"):  # a checkout may be moved
        assert not path.is_symlink() or (path.exists() and not os.path.isabs(os.readlink(path)))


def test_the_first_prefix_wins(torch, store, tmp_path):
    other = prefix(tmp_path / "other", "TH", "modules", docs=True)
    compose.link([other, *store])
    assert (torch / "lib/libTH.so.1").read_text() == "other TH"
    assert (torch / f"_C{SUFFIX}").read_text() == "other modules"
    assert (torch / "_torch_docs.py").read_text() == "other docs"
    compose.link([*store, other])
    assert (torch / "lib/libTH.so.1").read_text() == "TH TH"
    assert (torch / "_torch_docs.py").read_text() == "docs docs"


def test_what_was_built_for_another_environment_is_not_taken(torch, store):
    build("TH", "modules")
    write(cmake.PREFIX / "environment.txt", "/usr/bin/g++-1\n.cpython-27m.so\n")
    compose.link(store)
    assert (torch / "lib/libTH.so.1").read_text() == "TH TH"
    assert (torch / f"_C{SUFFIX}").read_text() == "modules modules"


def test_missing_parts_are_named_and_nothing_is_touched(torch, store):
    compose.link(store)
    before = listing(torch)
    with pytest.raises(FileNotFoundError) as error:
        compose.link([path for path in store if path.name not in ("TH", "modules")])
    assert str(error.value).startswith("TH, modules: ") and str(store[1]) in str(error.value)
    with pytest.raises(FileNotFoundError, match="not set"):
        compose.link([])
    assert listing(torch) == before


# ---- what CUDA adds


def with_cuda(store, folder, version="13.0"):
    found = [prefix(folder / part.name, *([part.name] if part.shared else [])) for part in added().values()]
    for part, place in zip(added().values(), found, strict=True):
        for module in part.modules:
            write(place / f"python/torch/{module}{SUFFIX}", f"{part.name} module")
        if not part.binds:
            write(place / f"share/torch/cuda/{part.name}.txt", f"{version}\n")
    return [*store, *found]


def test_cuda_adds_and_changes_nothing(torch, store, tmp_path):
    compose.link(store)
    before = listing(torch)
    assert compose.cuda_version(store) is None and not list(torch.glob("_cuda*"))
    both = with_cuda(store, tmp_path / "cuda")
    compose.link(both)
    after = listing(torch)
    assert {path: after[path] for path in before if path not in ("lib", "lib/include", ".")}.items() <= after.items()
    assert (torch / "lib/libTHC.so.1").read_text() == "THC THC"
    assert (torch / "lib/include/THC/THC.h").read_text() == "THC THC"
    assert (torch / f"_cuda{SUFFIX}").read_text() == "torch_cuda module"
    assert (torch / f"_nccl{SUFFIX}").read_text() == "torch_nccl module"
    assert (torch / f"_nvrtc{SUFFIX}").read_text() == "cuda_modules module"
    assert compose.cuda_version(both) == "13.0"
    compose.link(store)
    assert set(listing(torch)) == set(before)


def test_of_what_cuda_adds_all_or_nothing(torch, store, tmp_path):
    both = with_cuda(store, tmp_path / "cuda")
    for name, part in added().items():
        some = [place for place in both if place.name != name]
        if part.feature != "cuda":  # by itself
            compose.link(some)
            assert (torch / f"_nccl{SUFFIX}").exists() == (name != "torch_nccl")
            assert (torch / f"_distributed{SUFFIX}").exists() == (name != "torch_distributed")
            assert (torch / f"_distributed_mpi{SUFFIX}").exists() == (name != "torch_mpi")
            assert (torch / "lib/libTHD.so.1").exists() == (name != "THD")
            assert (torch / f"_cuda{SUFFIX}").exists()
        else:
            with pytest.raises(FileNotFoundError, match=f"^{name}: in no prefix"):
                compose.link(some)
    write(tmp_path / "cuda/torch_cuda/share/torch/cuda/torch_cuda.txt", "12.9")
    with pytest.raises(ValueError, match="CUDA 12.9 and 13.0 do not go together"):
        compose.cuda_version(both)


# ---- again


def test_a_second_call_touches_nothing(torch, store):
    build("THPP", docs=True)
    compose.link(store)
    before = listing(torch)
    assert len(before) > 20
    compose.link(store)
    assert listing(torch) == before


def test_building_one_part_changes_its_links_alone(torch, store):
    compose.link(store)
    before = listing(torch)
    build("THNN")
    compose.link(store)
    after = listing(torch)
    assert after.keys() == before.keys()
    different = {path for path in after if after[path] != before[path] and (torch / path).is_symlink()}
    assert different == {"lib/libTHNN.so.1", "lib/include/THNN", "lib/THNN.h"}


def test_links_that_nothing_wants_any_more_go(torch, store, tmp_path):
    stale = [f"_C{FOREIGN}", f"_thnn/_THNN{FOREIGN}", "lib/libTHX.so.1", "lib/include/THX"]
    compose.link(store)
    for path in stale:
        (torch / path).symlink_to(tmp_path / "gone")
    compose.link(store)
    assert not [path for path in stale if os.path.lexists(torch / path)]
    assert unharmed(torch) and (torch / f"_C{SUFFIX}").exists()


def test_files_that_are_no_links_stay_unless_a_part_belongs_there(torch, store):
    write(torch / "mine.so", "mine")
    write(torch / "lib/libTH.so.1", "copied here by hand")
    write(torch / "lib/include/TH/TH.h", "copied here by hand")
    compose.link(store)
    assert (torch / "mine.so").read_text() == "mine"
    assert (torch / "lib/libTH.so.1").is_symlink() and (torch / "lib/include/TH").is_symlink()
    assert (torch / "lib/include/TH/TH.h").read_text() == "TH TH"


def test_one_prefix_may_hold_parts_that_are_taken_from_elsewhere(torch, tmp_path):
    """Another checkout's build/tmp_install as TORCH_PREBUILT, and one part built here."""
    all_in_one = prefix(tmp_path / "other", *parts(), docs=True)
    stored = listing(all_in_one)
    for name in parts():
        build(name)
        compose.link([all_in_one])
        header = "torch/extension.h" if name == "modules" else f"{parts()[name].headers}/{name}.h"
        library = f"_C{SUFFIX}" if name == "modules" else f"lib/lib{name}.so.1"
        for path in (f"lib/include/{header}", library):
            assert (torch / path).read_text() == f"tmp_install {name}"
    assert listing(all_in_one) == stored


def test_there_is_always_a_library(torch, store):
    """Whoever starts while a part is linked anew finds the old one or the new one."""
    compose.link(store)
    library, module = torch / "lib/libTH.so.1", torch / f"_C{SUFFIX}"
    absent, over = [], threading.Event()

    def look():
        while not over.is_set():
            absent.extend(path for path in (library, module) if not os.path.exists(path))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        prefix(cmake.PREFIX, "TH", "modules")
        for number in range(200):
            write(cmake.PREFIX / "environment.txt", cmake.environment() if number % 2 else "another")
            compose.link(store)
    finally:
        over.set()
        thread.join()
    assert library.read_text() == "tmp_install TH"
    assert not absent, f"{len(absent)} times there was nothing, first {absent[0]}"


# ---- taking it out, and installing


def test_unlink_leaves_the_source_and_what_was_linked(torch, store, tmp_path):
    build("TH")
    before, built = listing(torch), listing(cmake.PREFIX)
    stored = listing(tmp_path / "store")
    compose.link(store)
    write(torch / "version.py", "__version__ = '1'")
    write(torch / "lib/libold.so", "a file, not a link")
    compose.unlink()
    assert listing(torch).keys() == before.keys()
    assert unharmed(torch) and listing(cmake.PREFIX) == built and listing(tmp_path / "store") == stored
    compose.unlink()  # there is nothing left to take out


def test_an_installation_has_copies(torch, store, tmp_path):
    build("TH")
    package = tmp_path / "site-packages/torch"
    write(package / "lib/libTHX.so.1", "of a build before")
    write(package / "__init__.py", "code")
    for library in [*torch.parent.rglob("*.so.1"), *(tmp_path / "store").rglob("*.so*")]:
        library.chmod(0o555)  # as the store has them
    for folder in (tmp_path / "store").glob("*/include/*"):
        folder.chmod(0o555)
    for _ in range(2):
        compose.install(package, store)
    compose.link(store)
    linked = {path for path in listing(torch) if (torch / path).is_file()} - SOURCES.keys()
    linked |= {f"lib/include/{parts(FEATURES)[name].headers}/{name}.h" for name in LIBRARIES}
    linked |= {"lib/include/torch/extension.h", "share/cmake/Torch/TorchConfig.cmake"}
    assert {path for path in listing(package) if (package / path).is_file()} == linked | {"__init__.py"}
    for path in package.rglob("*"):
        assert not path.is_symlink() and path.stat().st_mode & 0o200, f"{path} cannot be removed"
    assert (package / "lib/libTH.so.1").read_text() == "tmp_install TH"
    assert (package / "lib/libTHPP.so.1").read_text() == "THPP THPP"
