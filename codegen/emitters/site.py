"""The documentation as a website: a page per family of operators, an index of all names, and the documents in Markdown.

Plain HTML that needs no JavaScript. A family is a file of declarations, whose first lines are its description.
"""

import html
import pathlib
import re
import shutil

import mistune

from ..model import place
from ..output import write
from .pyi import parameters, result
from .python import is_function, is_method, operator_names

STYLE = """\
:root { color-scheme: light dark; --line: light-dark(#d8d8d4, #3a3a40); --back: light-dark(#f5f5f2, #232328); }
body { max-width: 60rem; margin: 0 auto; padding: 0 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif;
  background: light-dark(#fff, #18181b); color: light-dark(#1c1c1e, #e4e4e0); }
a { color: light-dark(#0b57a4, #8ab8f0); text-decoration: none; }
a:hover { text-decoration: underline; }
nav { padding: .8rem 0; border-bottom: 1px solid var(--line); }
nav a { margin-right: 1.2rem; }
pre, code { font: .875rem/1.45 ui-monospace, monospace; }
pre { background: var(--back); padding: .6rem .8rem; overflow-x: auto; border-radius: 4px; }
pre.signature { white-space: pre-wrap; padding-left: 2.8rem; text-indent: -2rem; margin-bottom: .4rem; }
section { border-top: 1px solid var(--line); padding-top: .4rem; margin-top: 1.6rem; }
section h2 { font-size: 1.1rem; margin: .4rem 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .2rem .6rem; text-align: left; vertical-align: top; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; margin: .4rem 0; }
dl.facts dt { opacity: .7; }
dl.facts dd { margin: 0; }
ul.names { columns: 14rem; list-style: none; padding: 0; }
:target { scroll-margin-top: 1rem; outline: 2px solid light-dark(#0b57a4, #8ab8f0); outline-offset: .3rem; }
"""


def emit(operators, dtypes, root, out):
    """Writes the site below `out`. dtypes: {name in TH: name in Python}. root: the repository, for its documents."""
    families = _families(operators)
    documents = {path: f"{path.stem.lower()}.html" for path in _documents(root)}
    for stem, entries in families.items():
        write(out / f"ops/{stem}.html", _family(stem, entries, dtypes))
    for path, target in documents.items():
        targets = {str(p.relative_to(root)): t for p, t in documents.items()}
        write(out / target, _document(path.read_text(), targets))
    for picture in sorted((root / "docs").glob("*.svg")):
        shutil.copyfile(picture, out / picture.name)
    write(out / "index.html", _index(families, documents, root))
    write(out / "style.css", STYLE)


def dtype_names(header):
    """{"Float": "float32", …} out of the text of TH/THDtype.h."""
    return dict(re.findall(r'^ *X\((\w+), [^,]+, \w+, \w+, "(\w+)"', header, re.MULTILINE))


# ---- operators -------------------------------------------------------------------------------------------


def public_name(name):
    """Where users find it, without "torch."; None for what is no part of the interface."""
    path = place(name)
    return None if path.startswith("_") and not path.startswith("__") else path


def forms(overloads):
    """{name as users write it: [(overload, in place?, method?)]}, the operator's own name before its aliases."""
    found = {}
    for name, entries in operator_names({"": overloads}).items():
        if public_name(name) is None:
            continue
        for o, inplace in entries:
            if is_function(o, inplace):
                found.setdefault(f"torch.{public_name(name)}", []).append((o, inplace, False))
            if is_method(o, inplace):
                found.setdefault(f"Tensor.{name}", []).append((o, inplace, True))
    return found


def _families(operators):
    """{stem of the file: (its description, {anchor: overloads})}, sorted."""
    families = {}
    for name, overloads in sorted(operators.items()):
        if not forms(overloads):
            continue
        path = pathlib.Path(overloads[0].where.file)
        description = path.read_text().partition("[[")[0].strip()
        families.setdefault(path.stem, (description, {}))[1][public_name(name)] = overloads
    return dict(sorted(families.items()))


def _family(stem, family, dtypes):
    description, entries = family
    parts = [f"<h1>{_title(stem)}</h1>\n", _text(description), '<ul class="names">\n']
    parts += [f'<li><a href="#{name}"><code>{name}</code></a></li>\n' for name in entries]
    parts.append("</ul>\n")
    for name, overloads in entries.items():
        parts.append(f'<section id="{name}">\n<h2><code>{name}</code></h2>\n')
        parts += _signatures(overloads)
        parts.append(_text(next(o.doc for o in overloads if o.doc)))
        parts.append(_facts(overloads, dtypes) + "</section>\n")
    return _page(_title(stem), "".join(parts), up="../")


def _title(stem):
    return stem.replace("_", ", ").capitalize()


def _signatures(overloads):
    """One line for each form under the operator's own name; those of functions and methods that are the same but for
    self are told by the function's."""
    shown = forms(overloads)
    own = {f"torch.{public_name(overloads[0].name)}", f"Tensor.{overloads[0].name}"}
    function = [entry for name, entries in shown.items() if name in own for entry in entries if not entry[2]]
    entries = function or next(iter(shown.values()))
    for o, inplace, method in entries:
        name = f"Tensor.{o.name}" if method else f"torch.{public_name(o.name)}"
        arguments = ", ".join(parameters(o, method, inplace, _default))
        yield f'<pre class="signature">{html.escape(f"{name}({arguments}) -> {result(o, inplace)}")}</pre>\n'


def _default(argument):
    return argument.default if argument.default is not None else "None"


def _facts(overloads, dtypes):
    facts = []
    names = list(forms(overloads))
    aliases = overloads[0].aliases
    words = (name.split(".")[-1] for name in names)
    other = [name for name, word in zip(names, words) if word.removesuffix("_") in aliases or word in aliases]
    facts.append(("forms", ", ".join(f"<code>{name}</code>" for name in names if name not in other)))
    if any("out" in o.variants for o in overloads):
        facts.append(("out=", "the result may be given"))
    if other:
        facts.append(("aliases", ", ".join(f"<code>{name}</code>" for name in other)))
    kinds = sorted({dtype for o in overloads for dtype in o.computed_as}, key=list(dtypes).index)
    if kinds:
        facts.append(("dtypes", ", ".join(dtypes[kind] for kind in kinds)))
    facts.append(("body", ", ".join(f"<code>{c}</code>" for c in dict.fromkeys(map(_body, overloads)))))
    if not overloads[0].in_python and not overloads[0].name.startswith("_"):
        variants = {v for o in overloads for v in o.variants}
        cpp = [
            place for variant, place in (("function", "torch::"), ("method", "torch::Tensor::")) if variant in variants
        ]
        facts.append(("C++", ", ".join(f"<code>{place}{overloads[0].name}</code>" for place in cpp)))
    return '<dl class="facts">' + "".join(f"<dt>{name}</dt><dd>{text}</dd>\n" for name, text in facts) + "</dl>\n"


def _body(overload):
    """The function that does it."""
    return "…".join(overload.symbol) if overload.kernel else overload.cname


def _text(doc):
    """Paragraphs; lines that are indented are code, and so is what stands between backquotes."""
    parts = []
    for block in re.split(r"\n\s*\n", doc.strip("\n")):
        if all(line.startswith("    ") for line in block.splitlines()):
            parts.append(f"<pre>{html.escape(block)}</pre>\n")
        else:
            parts.append(f"<p>{_inline(block)}</p>\n")
    return "".join(parts)


def _inline(text):
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


# ---- documents and the index -------------------------------------------------------------------------------


def _documents(root):
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]


class _Renderer(mistune.HTMLRenderer):
    """Headings get anchors; the name of a document, in backquotes or as a link, leads to its page."""

    def __init__(self, targets):
        super().__init__(escape=False)
        self.targets = targets

    def heading(self, text, level, **attributes):
        slug = re.sub(r"[^\w]+", "-", html.unescape(re.sub("<[^>]+>", "", text)).lower()).strip("-")
        return f'<h{level} id="{slug}">{text}</h{level}>\n'

    def codespan(self, text):
        target = self.targets.get(text)
        code = super().codespan(text)
        return f'<a href="{target}">{code}</a>' if target else code

    def block_code(self, code, info=None):
        """Above a block the file that it belongs into, where its first line names one (docs/adding-an-operator.md)."""
        file = (info or "").partition(" ")[2]
        return f"<p><code>{html.escape(file)}</code></p>\n" * bool(file) + super().block_code(code, info)

    def link(self, text, url, title=None):
        return super().link(text, self.targets.get(url, self.targets.get(f"docs/{url}", url)), title)


def _document(text, targets):
    title = re.search("^# (.*)", text, re.MULTILINE)[1]
    render = mistune.create_markdown(renderer=_Renderer(targets), plugins=["table"])
    return _page(title, render(text))


def _index(families, documents, root):
    parts = ["<h1>torch</h1>\n<h2>Documents</h2>\n<ul>\n"]
    for path, target in documents.items():
        title = re.search("^# (.*)", path.read_text(), re.MULTILINE)[1]
        parts.append(f'<li><a href="{target}">{html.escape(title)}</a> ({path.relative_to(root)})</li>\n')
    parts.append("</ul>\n<h2>Operators</h2>\n<ul>\n")
    for stem, (description, _) in families.items():
        parts.append(f'<li><a href="ops/{stem}.html">{_title(stem)}</a>: {_inline(description)}</li>\n')
    parts.append('</ul>\n<h2>Names</h2>\n<ul class="names">\n')
    names = {
        name: f"ops/{stem}.html#{anchor}"
        for stem, (_, entries) in families.items()
        for anchor, overloads in entries.items()
        for name in forms(overloads)
    }
    parts += [f'<li><a href="{names[name]}"><code>{name}</code></a></li>\n' for name in sorted(names)]
    return _page("torch", "".join(parts) + "</ul>\n")


def _page(title, body, up=""):
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<nav><a href="{up}index.html">All names</a><a href="{up}readme.html">README</a></nav>
{body}</body>
</html>
"""
