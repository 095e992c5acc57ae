"""Derivations in every shape in which a version of Nix prints them, and graphs for the other tests."""

import json

from tools.graph.derivations import Derivation

HASHES = {
    name: letter * 32
    for name, letter in {"TH-1.0.0": "a", "torch-1.0.0": "b", "openblas-0.3.29": "c", "openblas.tar.gz": "d"}.items()
}


def identity(name):
    return f"{HASHES[name]}-{name}.drv"


def _output(name, store, fixed):
    return {"path": f"{store}{HASHES[name]}-{name}", **({"hash": "00ff", "hashAlgo": "sha256"} if fixed else {})}


def described(version):
    """What `nix show-derivation -r` of 2.8, or `nix derivation show -r` of 2.20, 2.32 and 2.33 print of this:
    openblas.tar.gz (a download) -> openblas -> TH -> torch."""
    store = "/nix/store/" if version in ("2.8", "2.20") else ""
    needs = {
        "openblas.tar.gz": [],
        "openblas-0.3.29": ["openblas.tar.gz"],
        "TH-1.0.0": ["openblas-0.3.29"],
        "torch-1.0.0": ["TH-1.0.0", "openblas-0.3.29"],
    }
    derivations = {}
    for name, inputs in needs.items():
        what = ["out"] if version == "2.8" else {"dynamicOutputs": {}, "outputs": ["out"]}
        inputs = {store + identity(need): what for need in inputs}
        fields = {"outputs": {"out": _output(name, store, name.endswith(".gz"))}, "system": "x86_64-linux", "env": {}}
        fields |= (
            {"inputs": {"drvs": inputs, "srcs": []}, "version": 4}
            if version == "2.33"
            else {"inputDrvs": inputs, "inputSrcs": []}
        )
        derivations[store + identity(name)] = fields
    return json.dumps({"derivations": derivations, "version": 4} if version == "2.33" else derivations)


def graph(text, fixed=()):
    """`"TH-1: openblas-1; torch-1: TH-1"` -> id -> Derivation; every name has the id of its own name."""
    needs = {}
    for line in text.split(";"):
        name, _, inputs = line.strip().partition(":")
        needs.setdefault(name, []).extend(inputs.split())
        for need in inputs.split():
            needs.setdefault(need, [])
    return {
        name: Derivation(name, name, (name + "-out",), tuple(inputs), name in fixed) for name, inputs in needs.items()
    }
