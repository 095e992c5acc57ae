"""Draws the ratios that benchmarks/ops.py measured: an SVG file of horizontal bars, which suits light and dark pages."""

import math
from html import escape

ROW, GAP, LABEL, PLOT, NUMBER = 15, 30, 230, 560, 60  # pixels
STYLE = """
    text { font: 11px system-ui, sans-serif; fill: #1f2328 }
    .title { font-size: 14px; font-weight: 600 } .group { font-weight: 600 } .note { fill: #59636e }
    .grid { stroke: #d1d9e0; stroke-width: 1 } .one { stroke: #1f2328; stroke-width: 1.5 }
    .limit { stroke: #cf222e; stroke-width: 1; stroke-dasharray: 4 3 }
    .faster { fill: #1a7f37 } .slower { fill: #bf8700 } .slow { fill: #cf222e } .page { fill: #ffffff }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc } .note { fill: #9198a1 } .page { fill: #0d1117 } .grid { stroke: #3d444d }
      .one { stroke: #f0f6fc } .limit { stroke: #f85149 }
      .faster { fill: #3fb950 } .slower { fill: #d29922 } .slow { fill: #f85149 }
    }
"""
LIMIT = 0.8  # of PyTorch's speed: no case is to be slower


def picture(rows, title):
    """The text of the file; a row has "group", "name" and "ours/torch", the ratio of times."""
    rows = [(row["group"], row["name"], 1 / row["ours/torch"]) for row in rows if row["ours/torch"]]
    if not rows:
        raise SystemExit("nothing to draw: no case has run on both libraries")
    speeds = [speed for _, _, speed in rows]
    low, high = math.floor(math.log10(min(speeds + [0.5]))), math.ceil(math.log10(max(speeds + [2])))

    def x(speed):
        return LABEL + PLOT * (math.log10(speed) - low) / (high - low)

    groups = {}
    for group, name, speed in rows:
        groups.setdefault(group, []).append((name, speed))
    body, y = [], 58
    for group, cases in groups.items():
        mean = math.exp(sum(math.log(speed) for _, speed in cases) / len(cases))
        y += GAP
        body.append(f'<text class="group" x="8" y="{y - 8}">{escape(group)}: geometric mean {mean:.2f}</text>')
        for name, speed in cases:
            kind = "faster" if speed >= 1 else "slower" if speed >= LIMIT else "slow"
            left, right = sorted((x(1), x(speed)))
            body += [
                f'<text x="{LABEL - 6}" y="{y + 11}" text-anchor="end">{escape(name)}</text>',
                f'<rect class="{kind}" x="{left:.1f}" y="{y + 2}" width="{max(right - left, 1):.1f}" height="{ROW - 4}"/>',
                f'<text class="note" x="{LABEL + PLOT + 6}" y="{y + 11}">{speed:.2f}</text>',
            ]
            y += ROW
    width, height = LABEL + PLOT + NUMBER, y + 20
    lines = [(10.0**k, "grid", f"{10.0**k:g}") for k in range(low, high + 1) if k]
    axis = []
    for at, kind, label in [*lines, (LIMIT, "limit", ""), (1, "one", "1")]:
        axis.append(f'<line class="{kind}" x1="{x(at):.1f}" y1="62" x2="{x(at):.1f}" y2="{y + 4}"/>')
        axis.append(f'<text class="note" x="{x(at):.1f}" y="56" text-anchor="middle">{label}</text>')
    mean = math.exp(sum(map(math.log, speeds)) / len(speeds))
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{width}" height="{height}"/>',
        f'<text class="title" x="8" y="20">{escape(title)}</text>',
        f'<text class="note" x="8" y="38">times as fast as PyTorch, geometric mean {mean:.2f} over {len(rows)} cases; '
        f"dashed: {LIMIT}</text>",
    ]
    return "\n".join([*head, *axis, *body, "</svg>"]) + "\n"
