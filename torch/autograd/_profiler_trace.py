"""A profile as JSON for Perfetto and chrome://tracing: the Trace Event Format."""

import gzip
import json
import os
import secrets
import tempfile


class Trace:
    """What a trace says besides its events."""

    def __init__(self, options, begun_since_epoch, process, thread, allocations):
        self.options = options
        self.base = begun_since_epoch - begun_since_epoch % 10**9  # nanoseconds, as whole seconds
        self.shift = (begun_since_epoch - self.base) / 1000  # of the profile's beginning, microseconds
        self.process, self.thread, self.allocations = process, thread, allocations
        self.metadata = {}
        self.id = secrets.token_hex(16).upper()


def _complete(event, trace, number):
    """A row with beginning and duration."""
    arguments = {"Ev Idx": number}
    if event.activity_type == "cpu_op":
        arguments |= {
            "External id": event.id + 1,
            "Sequence number": event.sequence_nr,
            "Fwd thread id": event.fwd_thread or 0,
            "Record function id": 0,
        }
        if event.input_shapes or event.input_dtypes:
            arguments |= {
                "Concrete Inputs": ["" if value is None else str(value) for value in event.concrete_inputs],
                "Input type": event.input_dtypes,
                "Input Dims": event.input_shapes,
            }
        if event.flops:
            arguments["flops"] = event.flops
    elif event.activity_type == "user_annotation":
        arguments |= {"External id": event.id + 1, "Record function id": 0}
        if event.concrete_inputs:
            arguments["Concrete Inputs"] = [str(value) for value in event.concrete_inputs]
    return {
        "ph": "X",
        "cat": event.activity_type,
        "name": event.trace_name,
        "pid": trace.process,
        "tid": event.device_resource_id,
        "ts": round(event.time_range.start + trace.shift, 3),
        "dur": round(event.time_range.elapsed_us(), 3),
        "args": arguments,
    }


def _flows(events, trace):
    """An arrow from each operator to the node that is its derivative."""
    made = {}
    for event in events:
        if event.activity_type != "cpu_op" or event.sequence_nr < 0:
            continue
        if event.name.startswith("autograd::engine::evaluate_function"):
            start = made.get(event.sequence_nr)
            if start is None:
                continue
            common = {"id": event.sequence_nr, "pid": trace.process, "cat": "fwdbwd", "name": "fwdbwd"}
            begun = round(start.time_range.start + trace.shift, 3)
            yield {"ph": "s", "tid": start.device_resource_id, "ts": begun, **common}
            begun = round(event.time_range.start + trace.shift, 3)
            yield {"ph": "f", "tid": event.device_resource_id, "ts": begun, "bp": "e", **common}
        elif not event.scope:
            made[event.sequence_nr] = event


def _memory(trace):
    for time_us, nbytes, total, address, _ in trace.allocations:
        yield {
            "ph": "i",
            "cat": "cpu_instant_event",
            "s": "t",
            "name": "[memory]",
            "pid": trace.process,
            "tid": trace.thread,
            "ts": round(time_us + trace.shift, 3),
            "args": {
                "Total Reserved": 0,
                "Total Allocated": total,
                "Bytes": nbytes,
                "Device Id": -1,
                "Device Type": 0,
                "Addr": address,
            },
        }


def _names(trace):
    def row(kind, tid, **args):
        return {"ph": "M", "name": kind, "ts": trace.shift, "pid": trace.process, "tid": tid, "args": args}

    yield row("process_name", 0, name="python")
    yield row("process_labels", 0, labels="CPU")
    yield row("process_sort_index", 0, sort_index=trace.process)
    yield row("thread_name", trace.thread, name=f"thread {trace.thread} (python)")
    yield row("thread_sort_index", trace.thread, sort_index=trace.thread)


def content(path, events, trace):
    """The document."""
    if trace is None:  # of a list that was put together by hand
        trace = Trace({}, 0, os.getpid(), 0, [])
    rows = [*_names(trace), *(_complete(event, trace, number) for number, event in enumerate(events))]
    rows += _flows(events, trace)
    rows += _memory(trace)
    end = max((event.time_range.end for event in events), default=0.0)
    rows.append(
        {
            "ph": "X",
            "cat": "Trace",
            "name": "PyTorch Profiler (0)",
            "pid": "Spans",
            "tid": "PyTorch Profiler",
            "ts": round(trace.shift, 3),
            "dur": round(end, 3),
            "args": {"Op count": 0},
        }
    )
    return {
        "schemaVersion": 1,
        "deviceProperties": [],
        "trace_id": trace.id,
        **trace.options,
        **trace.metadata,
        "displayTimeUnit": "ms",
        "baseTimeNanoseconds": trace.base,
        "traceEvents": rows,
        "traceName": os.fspath(path),
    }


def write(path, events, trace):
    """Writes the document: whole, or nothing."""
    path = os.fspath(path)
    data = json.dumps(content(path, events, trace)).encode()
    if path.endswith(".gz"):
        data = gzip.compress(data)
    folder = os.path.dirname(os.path.abspath(path))
    handle, name = tempfile.mkstemp(dir=folder, prefix=".trace-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask():
    now = os.umask(0)
    os.umask(now)
    return now
