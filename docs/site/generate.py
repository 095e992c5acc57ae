"""Writes the website's sources for Sphinx: a page for each public name, a table for each module, the documents.

python docs/site/generate.py OUT     with torch (the built package), codegen and this repository's root as the folder
"""

import inspect
import pathlib
import re
import shutil
import sys

import documents
import operators
import prose
import public

import examples
from codegen.load import operators as declared_operators

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = (("class", "Classes"), ("function", "Functions"), ("data", "Values"))


class Site:
    """All that pages say of each other."""

    def __init__(self, root):
        self.modules = public.modules()
        self.names = public.names(self.modules)
        self.dtypes = operators.dtype_names((root / "lib/TH/include/TH/THDtype.h").read_text())
        self.examples = examples.read(root / "docs/examples")
        self.operators = self._operators(root)
        # {every way to write a name: the name that has the page}
        self.pages = {}
        for path, name in self.names.items():
            for written in (path, *name.aliases):
                self.pages[written] = path
        for path, forms in self.operators.items():
            for written in (path, *forms):
                self.pages[written] = path
        self.targets = set(self.pages) | set(self.modules)

    def _operators(self, root):
        """{path of the page: {form: entries}}: functions, and what is a method only."""
        found = {}
        self.overloads = {}
        for _, overloads in sorted(declared_operators(root / "codegen/declarations").items()):
            forms = operators.forms(overloads)
            if forms:
                path = next(iter(forms))
                found[path] = forms
                self.overloads[path] = overloads
        return found

    def example(self, path):
        """The session that a page shows, or None."""
        name = self.names.get(path)
        return examples.shown([path, *(name.aliases if name else ())], self.examples)

    def link(self, module):
        """What a name in a text of this module leads to."""

        def find(name):
            for candidate in (name, f"{module}.{name}", f"torch.{name}", f"torch.Tensor.{name}", f"torch.nn.{name}"):
                if candidate in self.targets and (name != name.lower() or len(name) > 3 or "." in name):
                    return candidate
            return None

        return find


def heading(text, mark="="):
    return [text, mark * len(text), ""]


def indented(lines):
    return [f"   {line}".rstrip() for line in lines]


def directive(kind, signatures, body, *options):
    first, *others = signatures
    lead = f".. py:{kind}:: "
    return [
        lead + first,
        *(" " * len(lead) + s for s in others),
        *(f"   {o}" for o in options),
        "",
        *indented(body),
        "",
    ]


def field_list(pairs):
    return [*(f":{key}: {text}" for key, text in pairs if text), ""]


def called(path, value):
    """The names that the signature in a docstring may have."""
    return {path.rpartition(".")[2], getattr(value, "__name__", path.rpartition(".")[2])}


def described(path, value, link):
    """The docstring of a Python object in reStructuredText."""
    return prose.convert(prose.without_signature(inspect.getdoc(value) or "", *called(path, value)), link)


def operator_page(site, path):
    """A function with its methods and aliases."""
    overloads, forms = site.overloads[path], site.operators[path]
    module = path.rpartition(".")[0]
    link = site.link(module)
    body = prose.convert(next(o.doc for o in overloads if o.doc), link)
    body += field_list(operators.facts(overloads, site.dtypes))
    lines = []
    for number, (form, entries) in enumerate(forms.items()):
        owner = form.rpartition(".")[0]
        signatures = [f"{owner}.{s}" for s in operators.signatures(form, entries)]
        kind = "method" if owner == "torch.Tensor" else "function"
        lines += directive(kind, signatures, body if number == 0 else [])
    return lines


def class_page(site, name):
    link = site.link(name.module)
    lines = described(name.path, name.value, link)
    if name.path == "torch.Tensor":
        return directive("class", [f"{name.path}(data)"], [*lines, *tensor_methods(site)])
    for word, value in public.members(name.value).items():
        lines += member(site, name, word, value)
    return directive("class", [path + public.signature(name.value) for path in shown(name)], lines)


def member(site, name, word, value):
    link = site.link(name.module)
    bound = getattr(name.value, word, value)
    path = f"{name.path}.{word}"
    if isinstance(value, property):
        return directive("property", [f"{word}"], [*described(path, bound, link), *shown_session(site, path)])
    options = [f":{kind.__name__}:" for kind in (classmethod, staticmethod) if isinstance(value, kind)]
    text = public.signature(bound)
    text = re.sub(r"^\((self|cls)(, /)?(, |(?=\)))", "(", text)
    return directive("method", [word + text], [*described(path, bound, link), *shown_session(site, path)], *options)


def shown_session(site, path):
    """The example of a member of a class, whose place is below what is said of it."""
    site.pages[path] = site.names[path.rpartition(".")[0]].path
    return ["", *session_lines(site.examples[path])] if path in site.examples else []


def session_lines(session):
    return [".. code-block:: pycon", "", *indented(session.splitlines()), ""]


def tensor_methods(site):
    """A table of the methods that operators have, each leading to its operator's page; the others in full."""
    import torch

    written = [form for forms in site.operators.values() for form in forms if form.startswith("torch.Tensor.")]
    rows = []
    for form in sorted(written):
        overloads = site.overloads[site.pages[form]]
        rows.append(
            (form, prose.inline(prose.first_sentence(next(o.doc for o in overloads if o.doc)), site.link("torch")))
        )
    lines = [".. rubric:: Operators as methods", "", *table(rows), ".. rubric:: Other methods and attributes", ""]
    known = {form.rpartition(".")[2] for form in written}
    name = site.names["torch.Tensor"]
    for word in sorted(dir(torch.Tensor)):
        value = inspect.getattr_static(torch.Tensor, word)
        if word.startswith("_") or word in known or not inspect.getdoc(value):
            continue
        if inspect.isgetsetdescriptor(value) or inspect.isdatadescriptor(value) or isinstance(value, property):
            body = [*described(word, value, site.link("torch")), *shown_session(site, f"torch.Tensor.{word}")]
            lines += directive("property", [word], body)
        else:
            lines += member(site, name, word, value)
    return lines


def shown(name):
    """A name and those of torch's own that mean the same; the others are mentioned only."""
    return [name.path, *sorted(alias for alias in name.aliases if alias.count(".") == 1)]


def page(site, path):
    name = site.names.get(path)
    module = name.module if name else path.rpartition(".")[0]
    if path in site.operators:
        lines = operator_page(site, path)
    elif name.kind == "class":
        lines = class_page(site, name)
    elif name.kind == "function":
        signatures = [written + public.signature(name.value) for written in shown(name)]
        lines = directive("function", signatures, described(path, name.value, site.link(module)))
    else:
        text = repr(name.value)
        body = [f"``{text}``"] if len(text) < 100 and " at 0x" not in text and "/" not in text else []
        lines = directive("data", [path], body)
    told = site.operators.get(path) or (shown(name) if name.kind != "data" else [])
    aliases = [a for a in (name.aliases if name else []) if a not in told]
    if aliases:
        lines += ["Also as " + ", ".join(f"``{alias}``" for alias in sorted(aliases)) + ".", ""]
    session = site.example(path)
    if session:
        lines += [".. rubric:: Example", "", *session_lines(session)]
    return [":orphan:", "", *heading(path), *lines]


def table(rows):
    """Names and sentences; each name leads to its page."""
    lines = [".. list-table::", "   :class: names", "   :widths: 40 60", ""]
    for path, sentence in rows:
        lines += [f"   * - :py:obj:`{path}`", f"     - {sentence}".rstrip()]
    return [*lines, ""] if rows else []


def summary(site, path):
    name = site.names.get(path)
    if path in site.overloads:
        doc = next(o.doc for o in site.overloads[path] if o.doc)
    else:
        doc = (inspect.getdoc(name.value) or "") if name.kind != "data" else ""
    said = prose.first_sentence(doc, *(called(path, name.value) if name else ()))
    return prose.inline(said, site.link(name.module if name else "torch"))


def module_page(site, path):
    module = site.modules[path]
    own = [name for name in site.names.values() if name.module == path]
    # Operators that no module lists by that name.
    here = {p for p in site.operators if p.rpartition(".")[0] == path} - {name.path for name in own}
    lines = [*heading(path), f".. py:module:: {path}", "", *described(path, module, site.link(path))]
    for kind, title in KINDS:
        paths = {name.path for name in own if name.kind == kind} | (here if kind == "function" else set())
        if paths:
            lines += [*heading(title, "-"), *table([(p, summary(site, p)) for p in sorted(paths)])]
    elsewhere = sorted({n.path for n in site.names.values() if any(a.rpartition(".")[0] == path for a in n.aliases)})
    if elsewhere and path != "torch":
        links = ", ".join(f":py:obj:`{p}`" for p in elsewhere)
        lines += [*heading("Documented elsewhere", "-"), links, ""]
    return lines


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines).rstrip() + "\n")


def shown_modules(site):
    """Those that have something to show."""
    homes = {name.module for name in site.names.values()} | {p.rpartition(".")[0] for p in site.operators}
    return [path for path in site.modules if path in homes]


def reference(site):
    """The page that lists modules, which the sidebar is made of."""
    modules = shown_modules(site)
    rows = [
        (path, prose.inline(prose.first_sentence(inspect.getdoc(site.modules[path]) or ""), site.link(path)))
        for path in modules
    ]
    listed = [f"   * - :py:mod:`{path}`\n     - {sentence}".rstrip() for path, sentence in rows]
    top = [path for path in modules if path.count(".") < 2 or path in ("torch.nn.functional", "torch.utils.data")]
    rest = [path for path in modules if path not in top]
    return [
        *heading("Reference"),
        "A page for each public name. Tables by module:",
        "",
        ".. list-table::",
        "   :widths: 40 60",
        "",
        *listed,
        "",
        ".. toctree::",
        "   :hidden:",
        "",
        *(f"   modules/{path}" for path in top),
        "",
    ], [f"   modules/{path}" for path in rest]


def main(out):
    shutil.rmtree(out, ignore_errors=True)
    site = Site(ROOT)
    for path in sorted({*site.names, *site.operators}):
        if site.pages[path] == path:
            write(out / f"names/{path}.rst", page(site, path))
    lines, hidden = reference(site)
    write(out / "reference.rst", lines)
    top = {line.strip() for line in lines}
    for path in shown_modules(site):
        text = module_page(site, path)
        write(out / f"modules/{path}.rst", text if f"modules/{path}" in top else [":orphan:", "", *text])
    unused = sorted(set(site.examples) - set(site.pages))
    if unused:
        sys.exit(f"docs/examples: no public name is called {', '.join(unused)}")
    documents.copy(ROOT, out)
    print(f"{len(site.names)} names, {len(site.operators)} operators, {len(site.modules)} modules", file=sys.stderr)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
