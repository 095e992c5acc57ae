"""Docstrings as reStructuredText: paragraphs, code between backquotes, indented code, sessions of Python, lists of arguments.

Their writers think of neither Markdown nor reStructuredText, so whatever only looks like markup is escaped.
"""

import re

ROLE = re.compile(r":(?:[\w-]+:)?\w+:`~?([^`<]+)(?:<[^`>]*>)?`|``([^`]+)``|`([^`]+)`")
HEADING = re.compile(
    r"^(Args|Arguments|Parameters|Keyword args|Returns?|Raises|Yields|Shape|Note|Notes|Warning|See also|Attributes|"
    r"Examples?|Usage|References)::?\s*$"
)
ITEM = re.compile(r"^(\*{0,2}\w[\w, .*]*?)(?: \(([^)]*)\))?: +(\S.*)$")


def escape(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def inline(text, link):
    """One paragraph. `link(name)` gives the full name of what a page is about, or None."""
    text = re.sub(r"::$", ":", text)
    parts, end = [], 0
    for match in ROLE.finditer(text):
        parts.append(escape(text[end : match.start()]))
        parts.append(code(next(filter(None, match.groups())), link))
        end = match.end()
    parts.append(escape(text[end:]))
    return "".join(parts)


def code(text, link):
    """Code, which leads to the page of the name that it begins with. Zero-width separators let it touch any character."""
    text = " ".join(text.split())
    name = re.match(r"[A-Za-z_][\w.]*", text)
    target = link(name[0].rstrip(".")) if name and text[name.end() :].strip() in ("", "()") else None
    if target:
        return rf"\ :py:obj:`{text} <{target}>`\ "
    return rf"\ ``{text}``\ " if text.strip("`") else escape(text)


def dedent(lines):
    """The lines without the indentation that those with text share."""
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[indent:] for line in lines]


def blocks(lines):
    """Runs of lines between empty ones; a run that stands deeper than the one before belongs to code."""
    block = []
    for line in lines:
        if line.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def convert(text, link):
    """The lines of a docstring in reStructuredText."""
    result = []
    for block in blocks(text.expandtabs().splitlines()):
        result += _block(block, link)
    return result


def _block(block, link):
    heading = HEADING.match(block[0].strip())
    if heading:
        rest = dedent(block[1:])
        yield from (f".. rubric:: {heading[1]}", "")
        if rest:
            yield from (_items if ITEM.match(rest[0]) else _block)(rest, link)
        return
    if any(line.lstrip().startswith(">>>") for line in block[:1]):
        yield from (*dedent(block), "")
    elif all(line.startswith("    ") for line in block):
        inner = dedent(block)
        if inner[0].lstrip().startswith(">>>"):
            yield from (*inner, "")
        elif ITEM.match(inner[0]):
            yield from _items(inner, link)
        else:
            yield from (".. code-block:: text", "", *(f"   {line}" for line in inner), "")
    elif ITEM.match(block[0]) and any(line.startswith("    ") for line in block[1:]):
        yield from _items(block, link)
    elif re.match(r"^[-*] ", block[0]):
        yield from _bullets(block, link)
    elif any(line.startswith(("    ", "\t")) for line in block) and block[0].rstrip().endswith(":"):
        head = [line for line in block if not line.startswith("    ")]
        yield from (inline(" ".join(map(str.strip, head)), link), "")
        yield from _block([line for line in block if line.startswith("    ")], link)
    else:
        yield from (inline(" ".join(map(str.strip, block)), link), "")


def _items(lines, link):
    """`name (type): what it is` as a list of fields."""
    item = []
    for line in [*lines, None]:
        if line is None or (ITEM.match(line) and not line.startswith(" ")):
            if item:
                match = ITEM.match(item[0])
                if match:
                    text = " ".join([match[3], *map(str.strip, item[1:])])
                    kind = f" ({escape(match[2])})" if match[2] else ""
                    yield f"* ``{match[1]}``{kind}: {inline(text, link)}"
                else:
                    yield "* " + inline(" ".join(map(str.strip, item)), link)
            item = []
        if line is not None:
            item.append(line)
    yield ""


def _bullets(lines, link):
    item = []
    for line in [*lines, None]:
        if line is None or re.match(r"^[-*] ", line):
            if item:
                yield "* " + inline(" ".join(map(str.strip, item)), link)
            item = [line[2:]] if line is not None else []
        else:
            item.append(line)
    yield ""


def without_signature(text, *names):
    """The docstring of what goes by these names without the lines before the first sentence that say how it is called."""
    lines = text.splitlines()
    call = re.compile(rf"(?:\w+\.)*(?:{'|'.join(map(re.escape, names))})\(.*\)( ->.*)?$")
    while names and lines and call.match(lines[0]):
        lines.pop(0)
    return "\n".join(lines)


def first_sentence(text, *names):
    """The first sentence of a docstring's first paragraph that is no signature of these names, on one line."""
    for block in blocks(without_signature(text, *names).expandtabs().splitlines()):
        line = " ".join(map(str.strip, block))
        if not line.startswith(">>>"):
            end = re.search(r"(?<=[a-z0-9`)\]])[.:;](?= |$)", line)
            return line[: end.start()] + "." if end else line
    return ""
