"""Build times from logs."""

import json
import os
import time

import pytest
from samples import graph

from tools.graph import times
from tools.graph.derivations import NixError

ID = "abcdefghijklmnopqrstuvwxyz012345-TH-1.0.0.drv"


def write_log(logs, identity=ID, suffix=".bz2"):
    log = logs / "drvs" / identity[:2] / (identity[2:] + suffix)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"begin\n")
    return log


def test_log_files(tmp_path):
    for suffix in ("", ".bz2"):
        log = write_log(tmp_path, suffix=suffix)
        assert times.log_of(ID, str(tmp_path)) == str(log)


def test_birth_and_last_change(tmp_path):
    log = write_log(tmp_path)
    time.sleep(0.3)
    with log.open("ab") as file:
        file.write(b"end\n")
    if not times._births([str(log)]):
        pytest.skip("this file system does not keep the birth of files")
    found = times.from_logs(graph(ID), None, logs=str(tmp_path))
    assert found[ID] == pytest.approx(0.3, abs=0.2)


def test_no_log(tmp_path):
    assert times.from_logs(graph(ID), None, logs=str(tmp_path)) == {}


@pytest.mark.parametrize(
    "born, registered, expected",
    [
        ((1000.5, 1024.0), None, 23.5),
        ((1000.5, 1024.0), {}, None),  # no result: it failed, or is being built
        ((1000.5, 1024.0), {f"{ID}-out": 1024}, 23.5),
        ((1000.5, 9000.0), {f"{ID}-out": 1024}, 23.5),  # built again later: the first build counts
        ((1000.5, 1024.0), {f"{ID}-out": 1024, "need-out": 900}, 23.5),
        ((1000.5, 9000.0), {f"{ID}-out": 9000, "need-out": 8900}, None),  # collected and built again: the log is older
    ],
)
def test_rebuilds(tmp_path, monkeypatch, born, registered, expected):
    log = write_log(tmp_path)
    monkeypatch.setattr(times, "_births", lambda paths: {str(log): born} if paths else {})
    found = times.from_logs(graph(f"{ID}: need"), registered, logs=str(tmp_path))
    assert found.get(ID) == expected


def test_registrations_in_both_shapes():
    expected = {"hash-a": 12}
    old = [{"path": "/nix/store/hash-a", "registrationTime": 12}, {"path": "/nix/store/hash-b", "valid": False}]
    new = {"/nix/store/hash-a": {"registrationTime": 12}, "/nix/store/hash-b": None}
    for shape in (old, new, {"info": new, "version": 2}):
        assert times.parse_registrations(json.dumps(shape)) == expected


def fake_nix_store(folder, monkeypatch, script):
    program = folder / "nix-store"
    program.write_text(f"#!{os.environ.get('SHELL_FOR_TESTS', '/bin/sh')}\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_measure(tmp_path, monkeypatch):
    fake_nix_store(tmp_path, monkeypatch, f'echo "$@" >>{tmp_path}/log; [ "$2" != --check ] || sleep 0.2')
    said = []
    found = dict(times.measure([ID], said.append))
    assert found[ID] == pytest.approx(0.25, abs=0.15)
    assert (tmp_path / "log").read_text().splitlines() == [
        f"--realise {times.STORE}/{ID}",
        f"--realise --check {times.STORE}/{ID}",
    ]
    assert said[0] == "[1/1] TH-1.0.0 …"


def test_measure_stops_at_a_failure(tmp_path, monkeypatch):
    fake_nix_store(tmp_path, monkeypatch, '[ "$2" != --check ] || { echo not deterministic >&2; exit 104; }')
    with pytest.raises(NixError, match="TH-1.0.0.drv again failed:\nnot deterministic"):
        list(times.measure([ID]))
