"""torch.profiler and torch.autograd.profiler: events, averages, schedules, traces. Names and fields are PyTorch 2.13's."""

import gzip
import json
import pathlib
import subprocess
import sys
import threading

import pytest
import torch
import torch.autograd.profiler as autograd_profiler
from torch import nn
from torch.profiler import (
    ProfilerAction,
    ProfilerActivity,
    profile,
    record_function,
    schedule,
    supported_activities,
    tensorboard_trace_handler,
)

CPU = [ProfilerActivity.CPU]


def named(prof, name):
    return [event for event in prof.events() if event.name == name]


def parents(event):
    names = []
    while event.cpu_parent is not None:
        event = event.cpu_parent
        names.append(event.name)
    return names


# ---- what is recorded --------------------------------------------------------------------------------------------
def test_operators_and_what_they_are_made_of():
    w, x = torch.ones(3, 3), torch.ones(2, 3)
    with profile(activities=CPU) as prof:
        nn.functional.linear(x, w)
    names = [event.name for event in prof.events()]
    assert names[0] == "aten::linear" and "aten::mm" in names
    (mm,) = named(prof, "aten::mm")
    assert parents(mm)[-1] == "aten::linear"
    linear = prof.events()[0]
    assert linear.time_range.start <= mm.time_range.start <= mm.time_range.end <= linear.time_range.end
    assert linear.cpu_time_total == linear.time_range.elapsed_us() > linear.self_cpu_time_total >= 0
    assert linear.self_cpu_time_total == pytest.approx(
        linear.cpu_time_total - sum(child.cpu_time_total for child in linear.cpu_children)
    )
    assert prof.events().self_cpu_time_total == pytest.approx(
        sum(event.cpu_time_total for event in prof.events() if event.cpu_parent is None)
    )


def test_a_recorded_call_is_one_event():
    x = torch.ones(2, requires_grad=True)
    out = torch.empty(2)
    with profile(activities=CPU) as prof, torch.autocast("cpu", dtype=torch.bfloat16):
        x * x
        x.detach().mul_(2)
        torch.add(out, out, out=out)
        torch.ones(2, 2) @ torch.ones(2, 2)
    counts = {average.key: average.count for average in prof.key_averages()}
    assert counts["aten::mul"] == counts["aten::mul_"] == counts["aten::add"] == counts["aten::mm"] == 1


def test_backward_pass():
    w = torch.ones(3, 3, requires_grad=True)
    with profile(activities=CPU) as prof:
        (torch.ones(2, 3) @ w).sum().backward()
    (mm, backward_mm) = named(prof, "aten::mm")
    (node,) = named(prof, "autograd::engine::evaluate_function: MmBackward0")
    (inner,) = named(prof, "MmBackward0")
    assert parents(backward_mm)[:2] == ["MmBackward0", node.name] and inner.cpu_parent is node
    assert node.sequence_nr == mm.sequence_nr >= 0 and node.scope == 1 and mm.scope == 0
    assert len(named(prof, "torch::autograd::AccumulateGrad")) == 1


def test_functions_of_ones_own():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    with profile(activities=CPU) as prof:
        Twice.apply(torch.ones(1, requires_grad=True)).backward()
    assert parents(named(prof, "aten::mul")[0]) == ["Twice"]
    assert parents(named(prof, "aten::mul")[1])[0] == "TwiceBackward"


def test_ranges():
    @record_function("decorated")
    def f(x):
        return x + 1

    with profile(activities=CPU, record_shapes=True) as prof:
        with record_function("outer", "an argument"):
            f(torch.ones(1))
        with pytest.raises(ValueError), record_function("raises"):
            raise ValueError
        torch.ones(1)
    (outer,) = named(prof, "outer")
    assert outer.is_user_annotation and outer.concrete_inputs == ["an argument"] and outer.cpu_parent is None
    assert parents(named(prof, "aten::add")[0]) == ["decorated", "outer"]
    assert named(prof, "aten::ones")[-1].cpu_parent is None
    with record_function("nobody listens"):
        pass
    with pytest.raises(RuntimeError, match="argument 'name'"):
        record_function(3).__enter__()


def test_shapes():
    with profile(activities=CPU, record_shapes=True) as prof:
        torch.cat([torch.ones(1, 2), torch.ones(3, 2)])
        torch.ones(2, dtype=torch.int64) + 1
    cat, add = named(prof, "aten::cat")[0], named(prof, "aten::add")[0]
    assert cat.input_shapes == [[[1, 2], [3, 2]], []] and cat.concrete_inputs == [None, 0]
    assert add.input_shapes[0] == [2] and add.concrete_inputs[1] == 1
    assert add.input_dtypes[:2] == ["long int", "Scalar"]
    grouped = prof.key_averages(group_by_input_shape=True)
    assert sorted(a.input_shapes for a in grouped if a.key == "aten::ones") == ["[[], [], []]"]
    with profile(activities=CPU) as prof:
        torch.ones(1)
    assert prof.events()[0].input_shapes == []


def test_memory():
    with profile(activities=CPU, profile_memory=True) as prof:
        with record_function("range"):
            x = torch.empty(100)
            y = x + 1
        del y
    (add,), (outer,) = named(prof, "aten::add"), named(prof, "range")
    assert add.cpu_memory_usage == add.self_cpu_memory_usage == 400
    assert outer.cpu_memory_usage == 800 and outer.self_cpu_memory_usage == 0
    text = prof.key_averages().table(sort_by="self_cpu_memory_usage")
    assert "CPU Mem" in text and "400 B" in text
    assert x.numel() == 100


def test_flops():
    with profile(activities=CPU, with_flops=True) as prof:
        torch.ones(2, 3) @ torch.ones(3, 4)
        nn.functional.conv2d(torch.ones(2, 3, 8, 8), torch.ones(6, 3, 3, 3), padding=1)
    flops = {average.key: average.flops for average in prof.key_averages()}
    assert flops["aten::mm"] == 48 and flops["aten::convolution"] == 41472
    assert "Total KFLOPs" in prof.key_averages().table()


def inner_function():
    return torch.ones(2) + 1


def test_stacks(tmp_path):
    with profile(activities=CPU, with_stack=True) as prof:
        with record_function("range"):
            inner_function()
        inner_function()
    first, second = named(prof, "aten::add")
    assert "inner_function" in first.stack[0] and "test_profiler.py(" in first.stack[0]
    assert "range" in parents(first) and "range" not in parents(second)
    assert any(event.name == "<built-in function ones>" for event in prof.events())
    assert not any("_profiler_" in event.name for event in prof.events() if "<built-in" in event.name)
    (event,) = (a for a in prof.key_averages(group_by_stack_n=1) if a.key == "aten::add")
    assert len(event.stack) == 1
    path = tmp_path / "stacks.txt"
    prof.export_stacks(str(path), "self_cpu_time_total")
    lines = path.read_text().splitlines()
    assert lines and all(line.rpartition(" ")[2].isdigit() for line in lines)
    with pytest.raises(ValueError, match="metric should be one of"):
        prof.export_stacks(str(path), "foo")


def test_modules():
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    with profile(activities=CPU, with_modules=True) as prof:
        model(torch.ones(1, 2))
        model(torch.ones(1, 2))
    names = [parents(event)[0] for event in named(prof, "aten::linear")]
    assert names == ["nn.Module: Linear_0", "nn.Module: Linear_1"] * 2
    assert parents(named(prof, "nn.Module: Linear_0")[0]) == ["nn.Module: Sequential_0"]


def test_optimizers_and_loaders():
    optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1)
    with profile(activities=CPU) as prof:
        optimizer.zero_grad()
        optimizer.step()
        list(torch.utils.data.DataLoader(torch.arange(2)))
    names = {event.name for event in prof.events() if event.is_user_annotation}
    assert names == {
        "Optimizer.zero_grad#SGD.zero_grad",
        "Optimizer.step#SGD.step",
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
    }


def test_other_threads_are_not_recorded():
    with profile(activities=CPU) as prof:
        thread = threading.Thread(target=lambda: torch.ones(2).exp())
        thread.start()
        thread.join()
        torch.ones(2).sin()
    names = {event.name for event in prof.events()}
    assert "aten::sin" in names and "aten::exp" not in names


def test_a_thread_may_end_while_it_is_profiled():
    def work():
        autograd_profiler.profile(profile_memory=True).__enter__()
        torch.ones(2).exp()

    for _ in range(3):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not torch.autograd._profiler_enabled()
    with profile(activities=CPU, profile_memory=True) as prof:
        torch.ones(2)
    assert [event.name for event in prof.events()] == ["aten::ones", "aten::fill_"]


def test_collection_can_pause():
    with profile(activities=CPU) as prof:
        torch.ones(1).exp()
        prof.toggle_collection_dynamic(False, CPU)
        torch.ones(1).sin()
        prof.toggle_collection_dynamic(True, CPU)
        torch.ones(1).cos()
    names = {event.name for event in prof.events()}
    assert {"aten::exp", "aten::cos"} <= names and "aten::sin" not in names


# ---- schedules ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options, letters",
    [
        ({"skip_first": 1, "wait": 1, "warmup": 1, "active": 2, "repeat": 2}, "NNWRSNWRSNNN"),
        ({"wait": 0, "warmup": 1, "active": 1}, "WSWSW"),
        ({"wait": 2, "warmup": 1, "active": 1, "repeat": 2, "skip_first": 1, "skip_first_wait": 1}, "NWSNNWSNNN"),
    ],
)
def test_schedules(options, letters):
    actions = dict(zip("NWRS", ProfilerAction))
    plan = schedule(**options)
    assert [plan(i) for i in range(len(letters))] == [actions[letter] for letter in letters]


def test_wrong_schedules():
    with pytest.raises(AssertionError, match="Invalid profiler schedule arguments"):
        schedule(wait=-1, warmup=0, active=1)
    with pytest.raises(AssertionError, match="Step must be non-negative. Got -1."):
        schedule(wait=0, warmup=1, active=1)(-1)
    with pytest.warns(UserWarning, match="won't be using warmup"):
        schedule(wait=0, warmup=0, active=1)


def test_a_training_loop_with_a_schedule():
    """As PyTorch's recipe has it: two cycles, a trace for each."""
    model, ready = nn.Linear(4, 1), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def trace_ready(prof):
        keys = {average.key: average.count for average in prof.key_averages()}
        ready.append((prof.step_num, keys["ProfilerStep*"], keys["aten::linear"], keys["Optimizer.step#SGD.step"]))

    with profile(
        activities=CPU, schedule=schedule(wait=1, warmup=1, active=2, repeat=2), on_trace_ready=trace_ready
    ) as prof:
        for _ in range(10):
            optimizer.zero_grad()
            model(torch.ones(2, 4)).sum().backward()
            optimizer.step()
            prof.step()
    assert ready == [(4, 2, 2, 2), (8, 2, 2, 2)]
    assert [event.trace_name for event in prof.events() if event.name == "ProfilerStep*"] == [
        "ProfilerStep#6",
        "ProfilerStep#7",
    ]


# ---- output ------------------------------------------------------------------------------------------------------
def test_table():
    with profile(activities=CPU) as prof:
        for _ in range(3):
            torch.ones(2).exp()
    text = prof.key_averages().table(sort_by="cpu_time_total", row_limit=2, header="HEADER")
    lines = text.splitlines()
    assert lines[0] == "=" * len(lines[2]) and lines[1] == "HEADER"
    assert lines[3].split("  ")[-2] == "# of Calls"
    assert [title for title in lines[3].split("  ") if title.strip()][1:] == [
        *("  Self CPU %", "    Self CPU", " CPU total %", "   CPU total", "CPU time avg", "  # of Calls")
    ] or "Self CPU %" in lines[3]
    assert sum(line.lstrip().startswith("aten::") for line in lines) == 2
    assert lines[-1].startswith("Self CPU time total: ") and lines[-1].endswith("us") or "ms" in lines[-1]
    average = next(a for a in prof.key_averages() if a.key == "aten::exp")
    assert average.count == 3 and average.cpu_time == pytest.approx(average.cpu_time_total / 3)
    assert "<FunctionEventAvg key=aten::exp " in repr(average)
    total = prof.key_averages().total_average()
    assert total.key == "Total" and total.self_cpu_time_total == pytest.approx(prof.events().self_cpu_time_total)
    with pytest.raises(AttributeError):
        prof.key_averages().table(sort_by="foo")


def test_units():
    from torch.autograd.profiler_util import _format_memory, _format_time, _format_time_share

    assert [_format_memory(n) for n in (0, 36, 1024, -2048, 5 << 20)] == [
        "0 B",
        "36 B",
        "1.00 KB",
        "-2.00 KB",
        "5.00 MB",
    ]
    assert [_format_time(t) for t in (0, 1.5, 1500, 2e6)] == ["0.000us", "1.500us", "1.500ms", "2.000s"]
    assert _format_time_share(1, 8) == "12.50%"


def test_chrome_trace(tmp_path):
    w = torch.ones(3, 3, requires_grad=True)
    with profile(activities=CPU, record_shapes=True, profile_memory=True, with_stack=True) as prof:
        with record_function("range"):
            (torch.ones(2, 3) @ w).sum().backward()
    prof.add_metadata("text", "a value")
    prof.add_metadata_json("object", '{"a": 1}')
    path = tmp_path / "trace.json"
    prof.export_chrome_trace(str(path))
    trace = json.loads(path.read_text())
    assert trace["schemaVersion"] == 1 and trace["text"] == "a value" and trace["object"] == {"a": 1}
    rows = trace["traceEvents"]
    kinds = {row.get("cat") for row in rows}
    assert {"cpu_op", "user_annotation", "python_function", "fwdbwd", "cpu_instant_event"} <= kinds
    (mm, _) = (row for row in rows if row["name"] == "aten::mm")
    assert (
        mm["ph"] == "X" and mm["args"]["Input Dims"] == [[2, 3], [3, 3]] and mm["args"]["Input type"] == ["float"] * 2
    )
    assert mm["args"]["Sequence number"] >= 0 and mm["dur"] > 0
    starts, ends = ({row["id"] for row in rows if row.get("ph") == ph and row["cat"] == "fwdbwd"} for ph in "sf")
    assert starts == ends and mm["args"]["Sequence number"] in starts
    assert all({"ph", "name", "pid"} <= row.keys() for row in rows)


def test_traces_for_tensorboard(tmp_path):
    folder = tmp_path / "log"
    with profile(activities=CPU, on_trace_ready=tensorboard_trace_handler(str(folder), "worker", use_gzip=True)):
        torch.ones(1)
    (file,) = folder.iterdir()
    assert file.name.startswith("worker.") and file.name.endswith(".pt.trace.json.gz")
    assert json.loads(gzip.decompress(file.read_bytes()))["traceEvents"]
    (tmp_path / "file").touch()
    with pytest.raises(RuntimeError, match="Can't create directory"):
        with profile(activities=CPU, on_trace_ready=tensorboard_trace_handler(str(tmp_path / "file"))):
            torch.ones(1)


def test_a_trace_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    with profile(activities=CPU) as prof:
        torch.ones(1)
    path = tmp_path / "trace.json"
    path.write_text("before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        prof.export_chrome_trace(str(path))
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


# ---- the older context -------------------------------------------------------------------------------------------
def test_autograd_profile():
    prof = autograd_profiler.profile()
    assert repr(prof) == "<unfinished torch.autograd.profile>"
    with pytest.raises(RuntimeError, match="Profiler didn't finish running"):
        prof.key_averages()
    with prof:
        assert torch.autograd._profiler_enabled()
        torch.ones(1).exp()
    assert not torch.autograd._profiler_enabled()
    assert [event.name for event in prof.function_events][-1] == "aten::exp" and "aten::exp" in str(prof)
    with pytest.raises(RuntimeError, match="Profiler context manager is not reentrant"):
        prof.__enter__()
    with autograd_profiler.profile(enabled=False) as off:
        torch.ones(1)
    assert off is None


def test_one_profile_at_a_time():
    with profile(activities=CPU) as prof:
        with pytest.raises(RuntimeError, match="Profiler is already enabled on this thread"):
            autograd_profiler.profile().__enter__()
        torch.ones(1).exp()
    assert named(prof, "aten::exp")


def test_a_profile_ends_with_an_error():
    with pytest.raises(ValueError):
        with profile(activities=CPU, profile_memory=True, with_stack=True) as prof:
            raise ValueError
    assert not torch.autograd._profiler_enabled()
    with profile(activities=CPU) as prof:
        torch.ones(1)
    assert named(prof, "aten::ones")


@pytest.mark.parametrize(
    "error, use",
    [
        (AssertionError, lambda: profile(activities=[])),
        (AssertionError, lambda: profile(activities=CPU).events()),
        (AssertionError, lambda: profile(activities=CPU).export_chrome_trace("x")),
        (RuntimeError, lambda: autograd_profiler.emit_itt().__enter__()),
        (NotImplementedError, lambda: autograd_profiler.load_nvprof("x")),
        (NotImplementedError, lambda: torch.profiler.ExecutionTraceObserver().register_callback("x")),
        (RuntimeError, lambda: torch.profiler.itt.mark("x")),
        (NotImplementedError, lambda: profile(activities=CPU).export_memory_timeline("x")),
    ],
)
def test_refused(error, use):
    with pytest.raises(error):
        use()


def test_devices_are_not_timed():
    assert supported_activities() == {ProfilerActivity.CPU}
    with pytest.warns(UserWarning, match="CUDA is not available|are not timed"):
        profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])


def test_steps_of_several_parts():
    tracker = autograd_profiler.KinetoStepTracker
    before = tracker.current_step()
    assert tracker.increment_step("one") == before + 1
    assert tracker.increment_step("two") == before + 2 and tracker.current_step() == before + 2
    assert tracker.erase_step_count("one") and tracker.erase_step_count("two") and not tracker.erase_step_count("one")


def test_the_modules_are_found_as_attributes():
    script = "import torch; torch.autograd.profiler.profile; torch.autograd.profiler_util.EventList; torch.profiler.itt"
    root = pathlib.Path(torch.__file__).parent.parent
    subprocess.run([sys.executable, "-c", script], cwd=root, check=True)
