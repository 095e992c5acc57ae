"""When tests/plain/run need not make a machine again: the same inputs, and not long ago."""

import json
import pathlib
import sys

import pytest

PLAIN = pathlib.Path(__file__).resolve().parents[1] / "plain"
FILES = {"lib/TH/src/a.cpp": "int a;\n", "docs/page.md": "words\n", "tests/test_tiny.py": "", "tests/nn/test_x.py": ""}


@pytest.fixture
def stamps(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(PLAIN))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    import stamps

    monkeypatch.setattr(stamps, "checkout_files", lambda checkout: sorted(FILES))
    yield stamps
    for name in ("stamps", "machine"):
        sys.modules.pop(name, None)


@pytest.fixture
def checkout(tmp_path):
    for name, text in FILES.items():
        (tmp_path / "checkout" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "checkout" / name).write_text(text)
    return tmp_path / "checkout"


@pytest.fixture
def wheel(tmp_path):
    (tmp_path / "torch.whl").write_bytes(b"a wheel")
    return tmp_path / "torch.whl"


def test_the_same_inputs_have_one_name(stamps, checkout, wheel):
    asked = ("trixie", "Date: 1", wheel, [True, False])
    assert stamps.key(checkout, *asked) == stamps.key(checkout, *asked)


def test_each_input_is_told_apart(stamps, checkout, wheel):
    names = [
        stamps.key(checkout, "trixie", "Date: 1", wheel, [True, False]),
        stamps.key(checkout, "bookworm", "Date: 1", wheel, [True, False]),
        stamps.key(checkout, "trixie", "Date: 2", wheel, [True, False]),
        stamps.key(checkout, "trixie", "Date: 1", None, [True, False]),
        stamps.key(checkout, "trixie", "Date: 1", wheel, [True, True]),
    ]
    wheel.write_bytes(b"another")
    names.append(stamps.key(checkout, "trixie", "Date: 1", wheel, [True, False]))
    for name in ("lib/TH/src/a.cpp", "tests/test_tiny.py"):
        (checkout / name).write_text("edited")
        names.append(stamps.key(checkout, "trixie", "Date: 1", wheel, [True, False]))
    (checkout / "lib/TH/src/a.cpp").unlink()
    names.append(stamps.key(checkout, "trixie", "Date: 1", wheel, [True, False]))
    assert len(set(names)) == len(names)


def test_what_no_build_reads_does_not_matter(stamps, checkout):
    before = stamps.key(checkout, "trixie", "", None, [])
    for name in ("docs/page.md", "tests/nn/test_x.py"):
        (checkout / name).write_text("edited")
    assert stamps.key(checkout, "trixie", "", None, []) == before


def test_a_stamp_is_found_for_a_week(stamps, monkeypatch):
    assert stamps.find("trixie-1") is None
    stamps.leave("trixie-1", 20, True)
    found = stamps.find("trixie-1")
    assert (found.passed, found.has_wheel) == (20, True)
    now = found.time
    for age, is_good in ((stamps.WEEK - 1, True), (stamps.WEEK, False), (-10, False)):
        monkeypatch.setattr(stamps.time, "time", lambda at=now + age: at)
        assert (stamps.find("trixie-1") is not None) == is_good


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", json.dumps({"time": 1, "passed": 2})])
def test_a_damaged_stamp_is_none(stamps, text):
    stamps.leave("trixie-1", 20, True)
    (stamps.folder() / "trixie-1").write_text(text)
    assert stamps.find("trixie-1") is None
