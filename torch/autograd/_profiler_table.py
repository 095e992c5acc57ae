"""A profile as a table of text."""

_UNITS = {"s": (1e6, "s"), "ms": (1e3, "ms"), "us": (1, "us")}


def _format_time(time_us, time_unit=None):
    """Microseconds with the unit that suits them, or that is given: "1.234ms"."""
    unit = time_unit or ("s" if time_us >= 1e6 else "ms" if time_us >= 1e3 else "us")  # noqa: PLR2004
    if unit not in _UNITS:
        raise ValueError(f"time_unit has to be one of {', '.join(_UNITS)}, got {unit!r}")
    factor, suffix = _UNITS[unit]
    return f"{time_us / factor:.3f}{suffix}"


def _format_time_share(time_us, total_time_us):
    """A part of the whole in percent."""
    if total_time_us == 0:
        if time_us != 0:
            raise AssertionError(f"Expected time_us == 0 but got {time_us}")
        return "NaN"
    return f"{time_us * 100.0 / total_time_us:.2f}%"


def _format_memory(nbytes):
    """Bytes with the unit that suits them: "1.50 KB"."""
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if abs(nbytes) >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{nbytes} B"


def _cut(text, width):
    return text if width is None or len(text) <= width else text[: width - 3] + "..."


class _Column:
    """A title, a width and what stands there of an event."""

    def __init__(self, title, value, width=12, fill=">"):
        self.title, self.value, self.width, self.fill = title, value, max(width, len(title) if fill == ">" else 0), fill

    def cell(self, text):
        return f"{text:{self.fill}{self.width}}"


def _fitted(title, texts, limit):
    """How wide the column of these texts has to be."""
    longest = max((len(text) for text in texts), default=0)
    if limit is not None:
        longest = min(longest, limit - 4)
    return max(longest, len(title)) + 4


_FLOPS = ["FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs"]


def _flops_unit(events):
    largest = max((event.flops or 0 for event in events), default=0)
    step = 0
    while step + 1 < len(_FLOPS) and largest >= 1000 ** (step + 1):
        step += 1
    return _FLOPS[step], 1000.0**step


def _columns(events, total, options):
    """All columns, in their order."""
    unit = options["time_unit"]

    def time_of(name):
        return lambda event: _format_time(getattr(event, name), unit)

    def share_of(name):
        def share(event):
            return "0.00%" if event.is_async else _format_time_share(getattr(event, name), total)

        return share

    widest = options["max_name_column_width"]
    columns = [
        _Column("Name", lambda event: _cut(event.key, widest), _fitted("Name", [e.key for e in events], widest)),
        _Column("Self CPU %", share_of("self_cpu_time_total")),
        _Column("Self CPU", time_of("self_cpu_time_total")),
        _Column("CPU total %", share_of("cpu_time_total")),
        _Column("CPU total", time_of("cpu_time_total")),
        _Column("CPU time avg", time_of("cpu_time")),
    ]
    if widest is not None:
        columns[0].width = min(columns[0].width, widest)
    if options["profile_memory"]:
        columns.append(_Column("CPU Mem", lambda event: _format_memory(event.cpu_memory_usage)))
        columns.append(_Column("Self CPU Mem", lambda event: _format_memory(event.self_cpu_memory_usage)))
    columns.append(_Column("# of Calls", lambda event: str(event.count)))
    if any(event.overload_name for event in events):
        columns.append(_Column("Overload Name", lambda event: event.overload_name))
    if any(event.node_id != -1 for event in events):
        columns.append(_Column("Node ID", lambda event: str(event.node_id)))
    shapes = [str(event.input_shapes) for event in events if event.input_shapes]
    if shapes:
        columns.append(_shapes_column(shapes, options["max_shapes_column_width"]))
    stacks = [frame for event in events for frame in event.stack or ()]
    if stacks:
        width = _fitted("Source Location", stacks, options["max_src_column_width"])
        columns.append(_Column("Source Location", lambda event: "", width, "<"))
    if options["with_flops"]:
        name, factor = _flops_unit(events)
        columns.append(_Column(f"Total {name}", lambda event: f"{event.flops / factor:.3f}" if event.flops else "--"))
    return columns


def _shapes_column(shapes, widest):
    width = _fitted("Input Shapes", shapes, widest)
    return _Column("Input Shapes", lambda event: _cut(str(event.input_shapes), widest), width)


def table(events, *, sort_by, row_limit, header, top_level_events_only, **options):
    """The text of EventList.table."""
    if len(events) == 0:
        return ""
    if sort_by is not None:
        attribute = sort_by.replace("cuda", "device").replace("xpu", "device").replace("privateuse1", "device")
        events = sorted(events, key=lambda event: getattr(event, attribute), reverse=True)
    total = sum(event.self_cpu_time_total for event in events)
    columns = _columns(events, total, options)
    line = "  ".join("-" * column.width for column in columns) + "  "
    titles = "  ".join(column.cell(column.title) for column in columns) + "  "
    lines = []
    if header is not None:
        lines += ["=" * len(line), header]
    if top_level_events_only:
        lines += ["=" * len(line), "This report only display top-level ops statistics"]
    lines += [line, titles, line]
    shown = 0
    for event in events:
        if shown == row_limit:
            break
        if top_level_events_only and event.cpu_parent is not None:
            continue
        shown += 1
        lines += _rows(event, columns, options["max_src_column_width"])
    lines += [line, f"Self CPU time total: {_format_time(total, options['time_unit'])}", ""]
    return "\n".join(lines)


def _rows(event, columns, limit):
    """The line of an event, and one for each further function of its stack."""
    frames = [_cut(frame, limit) for frame in event.stack or ()]
    rows = []
    for number in range(max(1, len(frames))):
        cells = []
        for column in columns:
            if column.title == "Source Location":
                text = frames[number] if number < len(frames) else ""
            else:
                text = column.value(event) if number == 0 else ""
            cells.append(column.cell(text))
        rows.append("  ".join(cells) + "  ")
    if len(frames) > 1:
        rows.append("  ".join(column.cell("") for column in columns) + "  ")
    return rows
