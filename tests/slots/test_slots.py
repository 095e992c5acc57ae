"""That calls are counted, each in its place, and that what the count says is judged."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from slots import counting, report

TESTS = pathlib.Path(__file__).parents[1]

TABLE = {
    "backend": "cpu",
    "library": "libTHPP.so.1",
    "slots": {
        "cadd": {"THFloatTensor_cadd": "Float", "THLongTensor_cadd": "Long"},
        "LogSigmoid_updateOutput": {"THNN_FloatLogSigmoid_updateOutput": "Float"},
        "THTensor_zero": {"THTensor_zero": "all"},
    },
}


def counted(folder, code, table=TABLE, times=1):
    """What so many processes count that run `code`: {C function: calls}. Each a fresh one, where nothing counts yet."""
    file = folder / "slots.json"
    file.write_text(json.dumps(table))
    start = f"import torch; from slots import counting; counting.start([{str(file)!r}], {str(folder)!r})\n"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLOT_")}
    for _ in range(times):
        done = subprocess.run(
            [sys.executable, "-c", start + code],
            env=environment | {"PYTHONPATH": str(TESTS)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr.splitlines()[-1])
    counts = counting.counters_of(table, folder).tolist()
    return dict(zip(counting.functions_of(table), counts, strict=True))


def test_calls_are_counted_by_dtype(tmp_path):
    counts = counted(tmp_path, "a = torch.ones(3); a + a; a + a; a.long() + 1; a.double() + a")
    assert counts["THFloatTensor_cadd"] == 2 and counts["THLongTensor_cadd"] == 1


def test_results_are_the_kernels(tmp_path):
    counts = counted(
        tmp_path,
        "a = torch.arange(4.); assert (a + 1).tolist() == [1, 2, 3, 4]\n"
        "try: a + torch.ones(3)\n"
        "except RuntimeError as error: assert 'size' in str(error)\n"
        "else: raise AssertionError('broadcast')",
    )
    assert counts["THFloatTensor_cadd"] >= 1  # an error of a kernel goes through what counts


def test_processes_count_together(tmp_path):
    code = (
        "import os\na = torch.zeros(2)\na + a\nif (child := os.fork()) == 0: a + a; os._exit(0)\nos.waitpid(child, 0)"
    )
    assert counted(tmp_path, code, times=2)["THFloatTensor_cadd"] == 4


def test_only_rows_are_counted(tmp_path):
    """Not what calls a kernel by its name, from outside THPP."""
    by_name = "from torch._thnn import _THNN; x = torch.ones(2); _THNN.FloatLogSigmoid_updateOutput(None, x, x.clone())"
    assert counted(tmp_path, by_name)["THNN_FloatLogSigmoid_updateOutput"] == 0
    operator = "torch.nn.functional.logsigmoid(torch.ones(2))"
    assert counted(tmp_path, operator)["THNN_FloatLogSigmoid_updateOutput"] == 1


@pytest.mark.parametrize(
    ("function", "says"),
    [
        ("THFloatTensor_nothing", "undefined symbol: THFloatTensor_nothing"),
        ("TH_dtypeName", "no row with TH_dtypeName"),
    ],
)
def test_a_table_of_another_build(tmp_path, function, says):
    table = TABLE | {"slots": {"cadd": {"THFloatTensor_cadd": "Float"}, "other": {function: "all"}}}
    with pytest.raises(RuntimeError, match=says):
        counted(tmp_path, "", table)


COUNTS = {
    "THFloatTensor_cadd": 3,
    "THLongTensor_cadd": 0,
    "THNN_FloatLogSigmoid_updateOutput": 0,
    "THTensor_zero": 1,
}


def test_an_uncalled_slot_is_wrong():
    wrong, known = report.compare(TABLE, COUNTS, {})
    assert wrong == ["cpu: no operator has called LogSigmoid_updateOutput"]
    assert known == [
        "cpu: cadd was never called for Long",
        "cpu: 4 calls of 2 of 4 kernels; operators have called 2 of 3 slots, 0 are listed in uncalled.toml",
    ]


@pytest.mark.parametrize(
    ("listed", "says"),
    [
        ({"LogSigmoid_updateOutput": "why"}, []),
        (
            {"LogSigmoid_updateOutput": "why", "cadd": "why"},
            ["cpu: uncalled.toml lists cadd, which has been called"],
        ),
        (
            {"LogSigmoid_updateOutput": "why", "gone": "why"},
            ["cpu: uncalled.toml lists gone, which has no row"],
        ),
    ],
)
def test_what_is_listed_must_be_uncalled(listed, says):
    assert report.compare(TABLE, COUNTS, listed)[0] == says


def test_a_report_that_fails(tmp_path):
    (tmp_path / "slots.json").write_text(json.dumps(TABLE | {"backend": "none"}))
    done = subprocess.run(
        [sys.executable, TESTS / "slots/report.py", tmp_path, tmp_path / "slots.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "none: no operator has called cadd" in done.stderr


def test_the_list(tmp_path):
    file = tmp_path / "uncalled.toml"
    file.write_text('[[cpu]]\nreason = "a"\nslots = ["x", "y"]\n\n[[cpu]]\nreason = "b"\nslots = ["z"]\n')
    assert report.exceptions("cpu", file) == {"x": "a", "y": "a", "z": "b"} and report.exceptions("cuda", file) == {}
    file.write_text('[[cpu]]\nreason = "a"\nslots = ["x", "x"]\n')
    with pytest.raises(ValueError, match="twice"):
        report.exceptions("cpu", file)
