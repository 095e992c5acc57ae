"""torch.utils.benchmark. Texts and tables are those of PyTorch 2.13 for the same numbers."""

import pickle
import shutil

import pytest
import torch
from torch.utils.benchmark import (
    Compare,
    CopyIfCallgrind,
    FunctionCount,
    FunctionCounts,
    FuzzedParameter,
    FuzzedTensor,
    Fuzzer,
    Language,
    Measurement,
    ParameterAlias,
    TaskSpec,
    Timer,
    ordered_unique,
    select_unit,
    set_torch_threads,
    trim_sigfig,
    unit_to_english,
)
from torch.utils.benchmark.op_fuzzers.binary import BinaryOpFuzzer
from torch.utils.benchmark.op_fuzzers.spectral import REGULAR_SIZES, SpectralOpFuzzer
from torch.utils.benchmark.op_fuzzers.unary import UnaryOpFuzzer


# ---- numbers -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "seconds, unit",
    [
        (1e-9, ("ns", 1e-9)),
        (5e-8, ("ns", 1e-9)),
        (1e-6, ("us", 1e-6)),
        (1.5e-6, ("us", 1e-6)),
        (0.001, ("ms", 1e-3)),
        (0.5, ("ms", 1e-3)),
        (1, ("s", 1)),
        (1e4, ("s", 1)),
    ],
)
def test_units(seconds, unit):
    assert select_unit(seconds) == unit


def test_digits_and_words():
    assert [trim_sigfig(x, n) for x, n in ((123.456, 2), (0.00123456, 3), (5, 1), (99.99, 2))] == [120, 0.00123, 5, 100]
    assert ordered_unique([1, 3, 1, 2]) == [1, 3, 2]
    assert [unit_to_english(u) for u in ("ns", "us")] == ["nanosecond", "microsecond"]


SPEC = TaskSpec(stmt="x+y", setup="x=1\ny=2", label="lab", sub_label="sub", description="desc", num_threads=2, env="E")


def test_measurement():
    m = Measurement(10, [1e-5, 1.1e-5, 1.2e-5, 3e-5], SPEC)
    assert m.median == pytest.approx(1.15e-6) and m.mean == pytest.approx(1.575e-6) and m.iqr == pytest.approx(5.75e-7)
    assert m.significant_figures == 1 and m.has_warnings and not m.meets_confidence()
    assert (m.title, m.env, m.as_row_name, m.num_threads, m.stmt) == ("lab: sub", "E", "sub", 2, "x+y")
    assert repr(m).splitlines()[1:] == [
        "lab: sub",
        "desc",
        "setup:",
        "  x=1",
        "  y=2",
        "",
        "  Median: 1.15 us",
        "  IQR:    0.57 us (1.08 to 1.65)",
        "  4 measurements, 10 runs per measurement, 2 threads",
        "  WARNING: Interquartile range is 50.0% of the median measurement.",
        "           This suggests significant environmental influence.",
    ]
    assert pickle.loads(pickle.dumps(m)).median == m.median
    with pytest.raises(AttributeError, match="'Measurement' object has no attribute 'foo'"):
        m.foo  # noqa: B018
    merged = Measurement.merge(
        [Measurement(10, [1e-5], SPEC), Measurement(5, [1e-5], SPEC), Measurement(1, [1], TaskSpec("x", ""))]
    )
    assert len(merged) == 2 and merged[0].times == pytest.approx([1e-6, 2e-6])


def measurements():
    for threads in (1, 4):
        for sub in ("a (1,1)", "b (10,10)"):
            for name, t in (("mul/sum", 1e-6), ("bmm", 2e-5), ("long description indeed", 3e-4)):
                if (sub[0], name, threads) == ("b", "bmm", 4):
                    continue
                spec = TaskSpec("x", "s", label="Batched dot", sub_label=sub, description=name, num_threads=threads)
                yield Measurement(1, [t * threads * (1 + 0.01 * i) for i in range(10)], spec)


TABLE = """\
[------------------------ Batched dot -------------------------]
                 |  mul/sum  |  bmm   |  long description indeed
1 threads: -----------------------------------------------------
      a (1,1)    |    1.0    |  20.9  |            313.5        
      b (10,10)  |    1.0    |  20.9  |            313.5        
4 threads: -----------------------------------------------------
      a (1,1)    |    4.2    |  83.6  |           1254.0        
      b (10,10)  |    4.2    |        |           1254.0        

Times are in microseconds (us).
"""  # noqa: W291
TRIMMED = """\
[------------------------ Batched dot ------------------------]
                 |  mul/sum  |  bmm  |  long description indeed
1 threads: ----------------------------------------------------
      a (1,1)    |     1     |   20  |             300         
      b (10,10)  |     1     |   20  |             300         
4 threads: ----------------------------------------------------
      a (1,1)    |     4     |   80  |            1000         
      b (10,10)  |     4     |       |            1000         

Times are in microseconds (us).
"""  # noqa: W291


def test_compare(capsys):
    compare = Compare(list(measurements()))
    assert str(compare) == TABLE
    compare.print()
    assert capsys.readouterr().out == TABLE + "\n"
    compare.trim_significant_figures()
    assert str(compare) == TRIMMED
    compare.colorize(rowwise=True)
    row = str(compare).splitlines()[3]
    assert row.count("\033[92m") == 1 and row.count("\033[31m") == 2
    with pytest.raises(ValueError, match="Expected an instance of `Measurement`"):
        compare.extend_results([3])


def test_compare_says_what_scatters():
    noisy = Measurement(1, [1e-3 * (1 + i) for i in range(20)], TaskSpec("f(x)", "s", description="noisy"))
    compare = Compare([noisy, Measurement(1, [2e-3] * 20, TaskSpec("f(x)", "s", description="calm"))])
    compare.highlight_warnings()
    assert "|  10.5 (! 90%)  |  2.0 \n" in str(compare) and "(! XX%) Measurement has high variance" in str(compare)


# ---- timing ------------------------------------------------------------------------------------------------------
def test_timer():
    timer = Timer("x + 1", "x = torch.ones(1)", label="add", num_threads=1)
    # Where another process takes the time of a single run, one is thought to be long enough.
    m = max((timer.blocked_autorange(min_run_time=0.01) for _ in range(5)), key=lambda m: m.number_per_run)
    assert m.number_per_run >= 10 and 1e-8 < m.median < 1e-2 and m.task_spec.label == "add"
    assert len(timer.timeit(10).raw_times) == 1
    assert (
        len(
            Timer("n").timeit
            and Timer("n + 1", globals={"n": 1}).adaptive_autorange(min_run_time=0.001, max_run_time=0.05).times
        )
        >= 1
    )
    spec = Timer("  x = 1\n  y = x", "   z=1\n")._task_spec
    assert (spec.stmt, spec.setup) == ("x = 1\ny = x", "z=1")


def test_threads():
    before = torch.get_num_threads()
    seen = []
    Timer("f()", globals={"f": lambda: seen.append(torch.get_num_threads())}, num_threads=1).timeit(1)
    assert set(seen) == {1} and torch.get_num_threads() == before
    with set_torch_threads(1):
        assert torch.get_num_threads() == 1


@pytest.mark.parametrize(
    "error, make",
    [
        (NotImplementedError, lambda: Timer().repeat()),
        (NotImplementedError, lambda: Timer().autorange()),
        (ValueError, lambda: Timer(language="rust")),
        (ValueError, lambda: Timer(3)),
        (ValueError, lambda: Timer(global_setup="x")),
        (NameError, lambda: Timer("y + 1").timeit(1)),
    ],
)
def test_wrong_timers(error, make):
    with pytest.raises(error):
        make()


@pytest.mark.skipif(not (shutil.which("c++") or shutil.which("g++")), reason="there is no compiler")
def test_cpp_timer(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    timer = Timer("x + 1;", "auto x = torch::ones({1});", language=Language.CPP)
    assert 1e-9 < timer.timeit(1000).median < 1e-3


@pytest.mark.skipif(not shutil.which("valgrind"), reason="there is no valgrind")
def test_callgrind():
    timer = Timer("x + 1; y", "x = torch.ones(1)", globals={"y": CopyIfCallgrind(torch.ones(3))})
    stats = timer.collect_callgrind(number=20)
    assert stats.counts() > stats.baseline_exclusive_stats.sum() > 0
    assert any("TH_alloc" in name for _, name in stats.stats())
    assert "Instructions:" in repr(stats) and not any("/nix/" in name for _, name in stats.as_standardized().stats())
    assert abs(stats.delta(stats).sum()) == 0


def test_what_callgrind_cannot_copy():
    with pytest.raises(ValueError, match="CopyIfCallgrind"):
        from torch.utils.benchmark.utils.valgrind_wrapper.timer_interface import GlobalsBridge

        GlobalsBridge({"f": lambda: 1}, "")


def test_function_counts():
    a = FunctionCounts((FunctionCount(10, "f"), FunctionCount(5, "g")), inclusive=False)
    b = FunctionCounts((FunctionCount(4, "f"),), inclusive=False)
    assert [tuple(row) for row in a - b] == [(6, "f"), (5, "g")] and (a + b).sum() == 19 and (a * 2).sum() == 30
    assert [tuple(row) for row in a.transform(lambda name: "h")] == [(15, "h")]
    assert len(a.filter(lambda name: name == "g")) == 1 and a[0].function == "f"
    assert "Total: 15" in repr(a)
    with pytest.raises(AssertionError):
        a + FunctionCounts((), inclusive=True)


# ---- fuzzers -----------------------------------------------------------------------------------------------------
def test_fuzzer():
    fuzzer = Fuzzer(
        parameters=[
            FuzzedParameter("k0", 1, 1024, "loguniform"),
            FuzzedParameter("k1", 1, 100, "uniform"),
            FuzzedParameter("same", distribution={ParameterAlias("k0"): 0.5, 7: 0.5}),
        ],
        tensors=[FuzzedTensor("x", size=("k0", "k1"), min_elements=64, max_elements=10000, probability_contiguous=0.2)],
        constraints=[lambda p: p["k0"] != p["k1"]],
        seed=0,
    )
    taken = list(fuzzer.take(20))
    for tensors, properties, params in taken:
        x = tensors["x"]
        assert x.shape == (params["k0"], params["k1"]) and 64 <= x.numel() <= 10000 and params["k0"] != params["k1"]
        assert properties["x"]["is_contiguous"] == x.is_contiguous() and params["same"] in (7, params["k0"])
    assert 0 < fuzzer.rejection_rate < 1 and any(not row[0]["x"].is_contiguous() for row in taken)
    assert [row[2] for row in fuzzer.take(20)] == [row[2] for row in taken]


def test_wrong_fuzzers():
    for wrong in ({"distribution": "foo"}, {"distribution": {1: 0.5}}, {"minval": 1, "maxval": 2}):
        with pytest.raises(AssertionError):
            FuzzedParameter("a", **wrong)
    never = Fuzzer([FuzzedParameter("a", 1, 2, "uniform")], [], constraints=[lambda p: False], seed=1)
    with pytest.raises(ValueError, match="Failed to generate a set of valid parameters"):
        list(never.take(1))


@pytest.mark.parametrize("kind", [UnaryOpFuzzer, BinaryOpFuzzer, SpectralOpFuzzer])
def test_fuzzers_of_operators(kind):
    ((tensors, _, params),) = kind(seed=3).take(1)
    x = tensors["x"]
    assert 4096 <= x.numel() <= 32 * 1024**2 and x.dim() == params.get("dim", params.get("ndim"))
    if "y" in tensors:
        assert (x + tensors["y"]).shape == x.shape
    if kind is SpectralOpFuzzer:
        assert set(x.shape) <= set(REGULAR_SIZES) and len(REGULAR_SIZES) == 189
