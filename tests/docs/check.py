"""The built documentation: links lead somewhere, every declared operator has an entry, and no page needs a script.

python tests/docs/check.py SITE
"""

import html.parser
import pathlib
import shutil
import sys
import tempfile
import urllib.parse

from codegen.__main__ import DECLARATIONS
from codegen.emitters.docs import place
from codegen.load import operators

VOID = {"br", "col", "hr", "img", "input", "link", "meta"}


class Page(html.parser.HTMLParser):
    """A page's ids, its links, its text, and tags that are not closed."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.tags, self.text, self.open, self.wrong = [], [], set(), [], [], []
        self.feed(path.read_text())
        self.close()
        self.wrong += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "src"):
                self.links.append(value)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()
        elif not (tag == "p" and "p" not in self.open):
            self.wrong.append(f"</{tag}> closes {self.open[-1:]}")

    def handle_data(self, data):
        self.text.append(data)


def problems(site, declared):
    """What is wrong with a site; and how much was looked at: pages, links, operators."""
    pages = {path.relative_to(site).as_posix(): Page(path) for path in sorted(site.rglob("*.html"))}
    found, links = [], 0
    for name, page in pages.items():
        found += [f"{name}: {wrong}" for wrong in page.wrong]
        found += [f"{name}: the id {i} is there twice" for i in sorted({i for i in page.ids if page.ids.count(i) > 1})]
        if "script" in page.tags:
            found.append(f"{name}: has a script")
        for link in page.links:
            links += 1
            if urllib.parse.urlsplit(link).scheme in ("http", "https"):
                continue
            path, _, anchor = link.partition("#")
            target = (site / name).parent / urllib.parse.unquote(path) if path else site / name
            key = target.resolve().relative_to(site.resolve()).as_posix()
            if not target.is_file():
                found.append(f"{name}: a link to {link}, which does not exist")
            elif anchor and anchor not in pages[key].ids:
                found.append(f"{name}: a link to {link}, which has no such entry")
    anchors = {i for name, page in pages.items() if name.startswith("ops/") for i in page.ids}
    index = set("\n".join(pages["index.html"].text).split())
    for names in declared:
        if not names & anchors:
            found.append(f"{min(names)}: declared, and no page has an entry for it")
        found += [f"{name}: not in the index" for name in names if not {f"torch.{name}", f"Tensor.{name}"} & index]
    return found, (len(pages), links, len(declared))


def declared_names():
    """For each declared operator that users see, the names that it goes by."""
    result = []
    for name, overloads in operators(DECLARATIONS).items():
        if name.startswith("_") and not name.startswith("__"):
            continue
        if not any({"method", "function", "inplace"} & set(o.variants) for o in overloads):
            continue
        names = {place(n) for n in (name, *overloads[0].aliases)}
        # torch._nn's functions are torch.nn.functional's affair.
        if shown := {n for n in names if not n.startswith("_") or n.startswith("__")}:
            result.append(shown)
    return result


def damages(site, declared):
    """The check finds each of these in a copy."""
    for file, before, after in (
        ("index.html", "ops/arithmetic.html#add", "ops/arithmetic.html#ad"),
        ("index.html", 'href="style.css"', 'href="stile.css"'),
        ("index.html", ">torch.arange<", "><"),
        ("ops/arithmetic.html", '<section id="add">', "<section>"),
        ("readme.html", "</body>", "<script></script></body>"),
        ("readme.html", "</h1>", "</h2>"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "site"
            shutil.copytree(site, copy)
            page = copy / file
            text = page.read_text()
            page.chmod(0o644)
            page.write_text(text.replace(before, after, 1))
            if before not in text or not problems(copy, declared)[0]:
                yield f"{file}: {before!r} became {after!r}, and nothing was said"


def main(site):
    declared = declared_names()
    found, (pages, links, names) = problems(site, declared)
    found += damages(site, declared)
    print("\n".join(found) or f"{pages} pages, {links} links, {names} operators")
    print(f"{pages + links + names - len(found)} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
