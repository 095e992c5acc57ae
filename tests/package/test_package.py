"""torch.package: modules and objects in one file. data/package-2.13.pt was written by PyTorch 2.13."""

import io
import sys
from pathlib import Path

import pytest
import torch
from torch.package import (
    EmptyMatchError,
    GlobGroup,
    OrderedImporter,
    PackageExporter,
    PackageImporter,
    PackagingError,
    is_from_package,
    sys_importer,
)

DATA = Path(__file__).parent / "data"
SOURCES = {
    "pk_mine/__init__.py": "from . import inner\n",
    "pk_mine/inner.py": """
import math
import torch
from torch import nn
import pk_heavy


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(2, 1)

    def forward(self, x):
        return self.l(x) * math.pi


def f():
    return pk_heavy.thing
""",
    "pk_heavy.py": "thing = 3\n",
}


@pytest.fixture
def net(tmp_path, monkeypatch):
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import pk_mine.inner

    made = pk_mine.inner.Net()
    with torch.no_grad():
        made.l.weight.fill_(2.0)
        made.l.bias.fill_(1.0)
    yield made
    for name in [name for name in sys.modules if name.startswith("pk_")]:
        del sys.modules[name]


def written(net, target):
    with PackageExporter(target) as exporter:
        exporter.intern("pk_mine.**")
        exporter.mock("pk_heavy")
        exporter.save_pickle("model", "m.pkl", net)
        exporter.save_text("model", "t.txt", "hi")
    return exporter


def test_written_by_pytorch():
    importer = PackageImporter(DATA / "package-2.13.pt")
    net = importer.load_pickle("model", "m.pkl")
    assert net(torch.ones(1, 2)).item() == pytest.approx(5 * torch.pi) and is_from_package(net)
    assert importer.load_text("model", "t.txt") == "hi" and importer.file_structure().has_file("mine/inner.py")


@pytest.mark.parametrize("to", ["path", "buffer"])
def test_there_and_back(net, tmp_path, to):
    target = str(tmp_path / "p.pt") if to == "path" else io.BytesIO()
    exporter = written(net, target)
    assert exporter.interned_modules() == ["pk_mine", "pk_mine.inner"] and exporter.mocked_modules() == ["pk_heavy"]
    assert "math" in exporter.externed_modules() and exporter.get_rdeps("pk_heavy") == ["pk_mine.inner"]
    importer = PackageImporter(target)
    loaded = importer.load_pickle("model", "m.pkl")
    assert torch.equal(loaded(torch.ones(1, 2)), net(torch.ones(1, 2)))
    assert type(loaded) is not type(net) and type(loaded).__module__ == f"{importer.id()}.pk_mine.inner"
    inner = importer.import_module("pk_mine.inner")
    assert importer.import_module("pk_mine").inner is inner and inner.math is __import__("math")
    with pytest.raises(NotImplementedError, match="pk_heavy.thing' was mocked out"):
        inner.f()()
    with pytest.raises(ModuleNotFoundError, match='No module named "pk_other" in self-contained archive'):
        importer.import_module("pk_other")
    assert importer.python_version().startswith("3.") and "pk_mine" in str(importer.file_structure(include="**/*.py"))
    again = PackageImporter(target).load_pickle("model", "m.pkl", map_location="meta")
    assert again.l.weight.is_meta and type(again) is not type(loaded)


def test_a_package_of_a_package(net):
    first, second = io.BytesIO(), io.BytesIO()
    written(net, first)
    importer = PackageImporter(first)
    with PackageExporter(second, importer=(importer, sys_importer)) as exporter:
        exporter.intern("pk_mine.**")
        exporter.mock("pk_heavy")
        exporter.save_pickle("model", "m.pkl", importer.load_pickle("model", "m.pkl"))
    assert PackageImporter(second).load_pickle("model", "m.pkl").l.weight.tolist() == [[2, 2]]
    assert isinstance(exporter.importer, OrderedImporter)


@pytest.mark.parametrize(
    "rules, match",
    [
        ({}, "did not match against any action pattern[^*]*pk_mine.inner"),
        ({"intern": "pk_mine.**"}, "any action pattern[^*]*pk_heavy"),
        ({"intern": "pk_mine.**", "deny": "pk_heavy"}, "denied by a pattern[^*]*pk_heavy"),
        ({"mock": "pk_mine.**"}, "mocked out, but is still being used[^*]*pk_mine.inner"),
    ],
)
def test_nothing_is_written_where_a_module_is_missing(net, tmp_path, rules, match):
    with pytest.raises(PackagingError, match=match):
        with PackageExporter(str(tmp_path / "p.pt")) as exporter:
            for action, pattern in rules.items():
                getattr(exporter, action)(pattern)
            exporter.save_pickle("model", "m.pkl", net)
    assert not (tmp_path / "p.pt").exists()


def test_a_pattern_that_must_fit(tmp_path):
    with pytest.raises(EmptyMatchError):
        with PackageExporter(str(tmp_path / "p.pt")) as exporter:
            exporter.extern("numpy.**", allow_empty=False)
    assert not (tmp_path / "p.pt").exists()


def test_sources_and_hooks():
    file, seen = io.BytesIO(), []
    with PackageExporter(file) as exporter:
        exporter.extern("yaml")
        handle = exporter.register_extern_hook(lambda exporter, name: seen.append(name))
        exporter.save_source_string(
            "pk_one", "import yaml\nfrom pk_one.two import x\n", is_package=True, dependencies=False
        )
        exporter.save_source_string("pk_one.two", "import yaml as y\nx = 3\n")
        handle.remove()
        with pytest.raises(RuntimeError, match="two different files"):
            exporter.save_source_string("pk_one.two", "x = 4\n")
    assert seen == ["yaml"] and '"pk_one.two" -> "yaml"' in exporter.dependency_graph_string()
    with pytest.raises(ImportError, match="needs the external module 'yaml'"):
        PackageImporter(file, module_allowed=lambda name: name != "yaml")


@pytest.mark.parametrize(
    "include, exclude, name, fits",
    [
        ("a.*", (), "a.b", True),
        ("a.*", (), "a.b.c", False),
        ("a.**", (), "a", True),
        ("a.**", (), "a.b.c", True),
        ("a.**", "a.b.**", "a.b.c", False),
        (["x", "a*"], (), "abc", True),
        ("**", (), "a.b", True),
        ("**.c", (), "a.b.c", True),
    ],
)
def test_patterns(include, exclude, name, fits):
    assert GlobGroup(include, exclude=exclude).matches(name) is fits
    with pytest.raises(ValueError, match="entire path segment"):
        GlobGroup("a**")
