"""The drawing itself: one SVG file with no script, no font and no picture of its own, for light and dark pages."""

import math
from xml.sax.saxutils import escape, quoteattr

from .layout import layout

# Slower is darker on white and brighter on black. The last entry: what is written on it.
STEPS = [
    (0.3, "#e7f0f7", "#1d2b38"),
    (1, "#cbe0f0", "#20405c"),
    (3, "#a3c9e6", "#245a86"),
    (10, "#ffd08a", "#8a5a12"),
    (30, "#ff9d5c", "#b0521c"),
    (math.inf, "#f0654a", "#cc3a22"),
]
STYLE = """\
text{font:13px system-ui,sans-serif;fill:#1b1f24}
.title{font-size:19px;font-weight:600}.small{font-size:11.5px;fill:#57606a}
.name{font-weight:600}.time{font-size:11.5px;fill:#32383f}.page{fill:#fff}
rect.n{stroke:#8c959f;stroke-width:1}.other{fill:#f6f8fa;stroke-dasharray:3 3}.none{fill:#fff}
.e{fill:none;stroke:#afb8c1;stroke-width:1.3}
.critical{stroke:#cf222e!important;stroke-width:2.6!important;stroke-dasharray:none!important}
.tip{fill:#afb8c1}.critical-tip{fill:#cf222e}
"""
DARK = """\
text{fill:#e6edf3}.small{fill:#9da7b1}.time{fill:#ced5dc}.page{fill:#0d1117}
rect.n{stroke:#6e7681}.other{fill:#161b22}.none{fill:#0d1117}
.e{stroke:#484f58}.tip{fill:#484f58}
.critical{stroke:#ff7b72!important}.critical-tip{fill:#ff7b72}
"""
MARGIN, HEAD, FOOT = 26, 84, 74


def duration(seconds):
    """0.042 -> `42 ms`, 3.14 -> `3.1 s`, 127 -> `2 min 7 s`"""
    if seconds < 0.0995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 99.5:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    return f"{round(seconds) // 60} min {round(seconds) % 60} s"


def step(seconds):
    """Which of the STEPS a time falls into."""
    return next(index for index, (limit, _, _) in enumerate(STEPS) if seconds < limit)


def second_line(node):
    if node.collapsed:
        return " · ".join(filter(None, [node.detail, f"there after {duration(node.ready)}" if node.ready else ""]))
    return "time unknown" if node.seconds is None else duration(node.seconds)


def text_width(text, size=13.0):
    """About how wide a text is in a sans-serif font."""
    narrow, wide = sum(letter in "iljtfrI.,·|-() " for letter in text), sum(letter in "mwMW_TH" for letter in text)
    return size * (0.56 * len(text) - 0.22 * narrow + 0.2 * wide)


def size(node, slowest):
    """Width and height of a node; the slowest is the highest."""
    width = max(text_width(node.label) * 1.15, text_width(second_line(node), 11.5) * 1.05) + 30
    share = math.sqrt((node.seconds or 0) / slowest) if slowest else 0
    return max(width, 72), 42 + 34 * share


def draw(view, title):
    """The SVG text of a View."""
    slowest = max((node.seconds or 0 for node in view.nodes.values()), default=0)
    plan = layout(
        {key: size(node, slowest) for key, node in view.nodes.items()},
        [(source, target) for source, target, _ in view.edges],
    )
    width, height = max(plan.width, 620) + 2 * MARGIN, plan.height + HEAD + FOOT
    left = (width - plan.width) / 2
    marks = [
        edge(plan.routes[source, target], critical, left)
        for source, target, critical in sorted(view.edges, key=lambda each: each[2])
    ]  # the critical path lies above the others
    marks += [box(view.nodes[key], place, left) for key, place in plan.boxes.items()]
    colours = "".join(f".t{index}{{fill:{light}}}" for index, (_, light, _) in enumerate(STEPS))
    dark = "".join(f".t{index}{{fill:{colour}}}" for index, (_, _, colour) in enumerate(STEPS))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="img" aria-label={quoteattr(title)}>',
            f"<style>{STYLE}{colours}\n@media (prefers-color-scheme:dark){{{DARK}{dark}}}</style>",
            '<rect class="page" width="100%" height="100%"/>',
            f'<text class="title" x="{MARGIN}" y="36">{escape(title)}</text>',
            f'<text x="{MARGIN}" y="58">{escape(summary(view))}</text>',
            *marks,
            legend(height - FOOT + 34),
            "</svg>",
            "",
        ]
    )


def summary(view):
    """The sentence below the title."""
    through = any(node.critical and node.collapsed for node in view.nodes.values())
    parts = [
        f"critical path {duration(view.total)}{', toolchain included' if through else ''}",
        f"the coloured ones add up to {duration(view.work)}",
    ]
    if view.unknown:
        parts.append(f"{view.unknown} of {sum(not node.collapsed for node in view.nodes.values())} times unknown")
    return "; ".join(parts)


def edge(route, critical, left):
    """A curve from the right of a node to the left of another, level where it crosses a layer."""

    def x(value):
        return f"{value + left:.0f}"

    def y(value):
        return f"{value + HEAD:.0f}"

    (at_x, at_y), *middle, (end_x, end_y) = route
    end_x -= 5  # room for the tip
    path = f"M{x(at_x)} {y(at_y)}"
    for begin, end, level in [*middle, (end_x, end_x, end_y)]:
        half = (at_x + begin) / 2
        path += f"C{x(half)} {y(at_y)} {x(half)} {y(level)} {x(begin)} {y(level)}"
        if end > begin:
            path += f"H{x(end)}"
        at_x, at_y = end, level
    prefix = "critical-" if critical else ""
    return (
        f'<path class="e{" critical" if critical else ""}" d="{path}"/>'
        f'<path class="{prefix}tip" d="M{x(end_x + 5)} {y(end_y)}l-7 -4v8z"/>'
    )


def box(node, place, left):
    x, y = place.x - place.width / 2 + left, place.y - place.height / 2 + HEAD
    fill = "other" if node.collapsed else "none" if node.seconds is None else f"t{step(node.seconds)}"
    middle = x + place.width / 2
    what = f"{node.label} {node.detail}".strip()
    tip = (
        f"{what} and all behind it, there after {duration(node.ready)}"
        if node.collapsed
        else f"{what}: {second_line(node)}; there after {duration(node.ready)} if everything is built"
    )
    return (
        f'<g><title>{escape(tip)}</title><rect class="n {fill}{" critical" if node.critical else ""}" x="{x:.0f}" '
        f'y="{y:.0f}" width="{place.width:.0f}" height="{place.height:.0f}" rx="{14 if node.collapsed else 6}"/>'
        f'<text class="name" x="{middle:.0f}" y="{place.y + HEAD - 3:.0f}" text-anchor="middle">'
        f"{escape(node.label)}</text>"
        f'<text class="time" x="{middle:.0f}" y="{place.y + HEAD + 13:.0f}" text-anchor="middle">'
        f"{escape(second_line(node))}</text></g>"
    )


def legend(y):
    """What the colours, outlines and lines mean, in one row and a sentence below it."""
    marks, x = [], MARGIN

    def entry(mark, width, text):
        nonlocal x
        marks.append(mark.format(x=x, y=y - 11))
        marks.append(f'<text class="small" x="{x + width + 5}" y="{y}">{escape(text)}</text>')
        x += width + 5 + round(text_width(text, 11.5)) + 16

    below = [duration(limit) if limit < 1 else f"{limit} s" for limit, _, _ in STEPS[:-1]]
    for index, text in enumerate([f"< {below[0]}", *(f"< {limit}" for limit in below[1:]), f"≥ {below[-1]}"]):
        entry(f'<rect class="n t{index}" x="{{x}}" y="{{y}}" width="16" height="13" rx="3"/>', 16, text)
    entry(
        '<rect class="n other" x="{x}" y="{y}" width="22" height="13" rx="6"/>',
        22,
        "another's package, with all behind it",
    )
    entry(f'<path class="e critical" d="M{{x}} {y - 4}h24"/>', 24, "critical path")
    sentence = "Arrows lead from what is needed to what needs it; those that others imply are left out. Higher: slower."
    return "".join(marks) + f'<text class="small" x="{MARGIN}" y="{y + 22}">{sentence}</text>'
