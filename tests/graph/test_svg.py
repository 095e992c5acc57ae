"""The drawing and the program."""

import json
import xml.etree.ElementTree as ET

import pytest
from samples import described, graph, identity

from tools.graph import __main__, derivations, svg
from tools.graph.view import view

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawn(text="T: Ta Tb lib-1; Ta: lib-1; Tb: lib-1", times=None):
    return view(
        graph(text), "T", {"T": 2.5, "Ta": 0.1, "Tb": 40} if times is None else times, lambda name: name[0] == "T"
    )


def texts(picture):
    return [element.text for element in ET.fromstring(picture).iter(NAMESPACE + "text")]


@pytest.mark.parametrize(
    "seconds, text",
    [
        (0, "0 ms"),
        (0.042, "42 ms"),
        (0.0996, "0.1 s"),
        (3.14, "3.1 s"),
        (9.96, "10 s"),
        (99.4, "99 s"),
        (99.6, "1 min 40 s"),
        (127, "2 min 7 s"),
    ],
)
def test_durations(seconds, text):
    assert svg.duration(seconds) == text


def test_picture():
    picture = svg.draw(drawn(), "What T is <built> from & why")
    assert texts(picture)[:2] == [
        "What T is <built> from & why",
        "critical path 42 s, toolchain included; the coloured ones add up to 43 s",
    ]
    for text in ("Ta", "Tb", "lib", "0.1 s", "40 s", "critical path", "≥ 30 s"):
        assert text in texts(picture)
    root = ET.fromstring(picture)
    # lib-1 takes no time, and still is where the critical path begins: lib-1 -> Tb -> T.
    assert (
        sum(path.get("class") == "e critical" and "C" in path.get("d") for path in root.iter(NAMESPACE + "path")) == 2
    )
    assert "@media (prefers-color-scheme:dark)" in picture


def test_slower_is_higher_and_of_another_colour():
    root = ET.fromstring(svg.draw(drawn(), "x"))
    boxes = {
        group.find(f"{NAMESPACE}text").text: group.find(f"{NAMESPACE}rect") for group in root.iter(NAMESPACE + "g")
    }
    assert float(boxes["Tb"].get("height")) > float(boxes["T"].get("height")) > float(boxes["Ta"].get("height"))
    assert [box.get("class").split()[1] for box in (boxes["Ta"], boxes["T"], boxes["Tb"])] == ["t0", "t2", "t5"]


def test_everything_lies_inside():
    root = ET.fromstring(svg.draw(drawn(), "x"))
    _, _, width, height = map(float, root.get("viewBox").split())
    for rect in root.iter(NAMESPACE + "rect"):
        if rect.get("x"):
            assert 0 <= float(rect.get("x")) and float(rect.get("x")) + float(rect.get("width")) <= width
            assert 0 <= float(rect.get("y")) and float(rect.get("y")) + float(rect.get("height")) <= height


def test_no_times_at_all():
    picture = svg.draw(drawn(times={}), "x")
    assert "time unknown" in texts(picture)
    assert "3 of 3 times unknown" in texts(picture)[1]


@pytest.fixture
def flake(tmp_path, monkeypatch):
    """A store with the sample, and what nix/graph.nix would have written."""
    known = tmp_path / "known.json"
    known.write_text(
        json.dumps(
            {"packages": {"torch": "/nix/store/" + identity("torch-1.0.0")}, "ours": ["torch-1.0.0", "TH-1.0.0"]}
        )
    )
    monkeypatch.setenv("TORCH_GRAPH_PACKAGES", str(known))
    monkeypatch.setattr(derivations, "run", lambda *command: described("2.33"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_program(flake, capsys):
    assert __main__.main([]) == 0
    assert "What torch-1.0.0 is built from" in texts((flake / "graph.svg").read_text())
    assert capsys.readouterr().out.startswith("graph.svg: 3 of 4 derivations; critical path ")


def test_program_with_all(flake, capsys):
    assert __main__.main([".#torch", "--all", "--output", "all.svg"]) == 0
    assert (flake / "all.svg").exists() and "all.svg: 3 of 4 derivations" in capsys.readouterr().out


def test_unknown_package(flake, capsys):
    assert __main__.main([".#TV"]) == 1
    assert capsys.readouterr().err == "graph: there is no package TV; there are: torch\n"


def test_output_that_cannot_be_written(flake, capsys):
    assert __main__.main(["torch", "-o", "/no/such/folder/x.svg"]) == 1
    assert "/no/such/folder/x.svg" in capsys.readouterr().err
