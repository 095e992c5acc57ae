"""Reading what Nix prints."""

import json

import pytest
from samples import described, identity

from tools.graph import derivations
from tools.graph.derivations import NixError


@pytest.mark.parametrize("version", ["2.8", "2.20", "2.32", "2.33"])
def test_every_version_of_nix(version):
    found = derivations.parse(described(version))
    assert {each.name for each in found.values()} == {"TH-1.0.0", "torch-1.0.0", "openblas-0.3.29", "openblas.tar.gz"}
    torch = found[identity("torch-1.0.0")]
    assert torch.inputs == (identity("TH-1.0.0"), identity("openblas-0.3.29"))
    assert torch.outputs == (identity("torch-1.0.0").removesuffix(".drv"),)
    assert [each.name for each in found.values() if each.fixed] == ["openblas.tar.gz"]


def test_no_json():
    with pytest.raises(NixError, match="no JSON"):
        derivations.parse("error: experimental feature")


def test_a_shape_of_the_future_is_named():
    everything = json.loads(described("2.8"))
    del everything["/nix/store/" + identity("TH-1.0.0")]["inputDrvs"]
    with pytest.raises(NixError, match="TH-1.0.0.*not known.*inputs"):
        derivations.parse(json.dumps(everything))


def test_incomplete():
    everything = json.loads(described("2.8"))
    del everything["/nix/store/" + identity("openblas-0.3.29")]
    with pytest.raises(NixError, match="needs c{32}-openblas"):
        derivations.parse(json.dumps(everything))


def test_closure_with_either_command(monkeypatch):
    asked = []

    def run(*command):
        asked.append(command)
        if "derivation" in command:
            raise NixError("error: 'derivation' is not a recognised command")
        return described("2.8")

    monkeypatch.setattr(derivations, "run", run)
    assert len(derivations.closure("/nix/store/x.drv")) == 4
    assert ["show-derivation" in command for command in asked] == [False, True]


def test_other_failures_are_not_hidden(monkeypatch):
    def run(*command):
        raise NixError("`nix derivation show` failed: no such path")

    monkeypatch.setattr(derivations, "run", run)
    with pytest.raises(NixError, match="no such path"):
        derivations.closure("/nix/store/x.drv")


def test_programs_that_fail():
    with pytest.raises(NixError, match="there is no `no-such-program-here` on PATH"):
        derivations.run("no-such-program-here")
    with pytest.raises(NixError, match="`cat /no/such/file` failed:\n.*No such file"):
        derivations.run("cat", "/no/such/file")


@pytest.mark.parametrize("lines", ["", "/nix/store/a.drv\n/nix/store/b.drv\n", "/nix/store/no-derivation\n"])
def test_installables_that_are_no_derivation(monkeypatch, lines):
    monkeypatch.setattr(derivations, "run", lambda *command: lines)
    with pytest.raises(NixError, match=r"flake#all stands for \d derivations"):
        derivations.resolve("flake#all")
    assert derivations.resolve("/nix/store/a.drv") == "/nix/store/a.drv"
