"""The built documentation: links lead somewhere, every declared operator and every example has its page, the search and the
inventory know them, most pages show an example, and the examples print what they say, those too that are derived from others.

python tests/docs/check.py SITE ROOT     where torch can be imported; ROOT has codegen and docs
"""

import html.parser
import json
import pathlib
import re
import sys
import urllib.parse
import warnings
import zlib

import run_examples
from operators import forms
from public import modules, names

from codegen.load import operators
from examples import derived, read

SHARE = 0.75  # of all pages that show an example: 2,429 of 3,139; Lua's modules and devices that are not here have few
ENOUGH = 0.9  # of the operators, and of the names of these modules, that have an example
SHOWN = (
    "torch.nn.",
    "torch.nn.functional.",
    "torch.optim.",
    "torch.optim.lr_scheduler.",
    "torch.linalg.",
    "torch.fft.",
)


class Page(html.parser.HTMLParser):
    """A page's ids and its links."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "src"):
                self.links.append(value)


def wrong_in(name, page, pages, files):
    """The links of a page that lead nowhere, and the ids that it has twice."""
    for i in sorted({i for i in page.ids if page.ids.count(i) > 1}):
        yield f"{name}: the id {i} is there twice"
    folder = pathlib.PurePosixPath(name).parent
    for link in set(page.links):
        parts = urllib.parse.urlsplit(link)
        if parts.scheme in ("http", "https", "mailto", "data"):
            continue
        target = resolved(folder / urllib.parse.unquote(parts.path)) if parts.path else name
        if target not in files:
            yield f"{name}: a link to {link}, which does not exist"
        elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
            yield f"{name}: a link to {link}, which has no such entry"


def resolved(path):
    done = []
    for part in path.parts:
        done = done[:-1] if part == ".." else [*done, part]
    return "/".join(done)


def inventory(path):
    """{name: page} of an intersphinx inventory."""
    *_, packed = path.read_bytes().split(b"\n", 4)
    found = {}
    for line in zlib.decompress(packed).decode().splitlines():
        name, domain, _, place, _ = line.split(" ", 4)
        if domain.startswith("py:"):
            found[name] = place.replace("$", name)
    return found


def searched(path):
    """The names of the documents that the search looks into."""
    text = path.read_text()
    return set(json.loads(text[text.index("{") : text.rindex("}") + 1])["docnames"])


def declared_names(root):
    """For each declared operator that users see, the names that it goes by."""
    found = (forms(overloads) for overloads in operators(root / "codegen/declarations").values())
    return [list(names) for names in found if names]


def missing(names, declared, examples, known, documents):
    """What the inventory or the search do not have."""
    for group in declared:
        yield from (f"{name}: not in the inventory" for name in group if name not in known)
    yield from (f"{name}: an example of what is not in the inventory" for name in examples if name not in known)
    yield from (f"{page}: the search does not know it" for page in names if page.removesuffix(".html") not in documents)


def without_example(groups, examples):
    """The groups of names of which too many have no example."""
    for title, members in groups.items():
        lacking = sorted(name for name in members if name not in examples)
        if len(lacking) > (1 - ENOUGH) * len(members):
            yield f"{title}: {len(lacking)} of {len(members)} have no example: {', '.join(lacking)}"


def without_session(own):
    """That too few of the names' pages show an example; `own` is {name: text of its page}."""
    lacking = sorted(name for name, text in own.items() if 'class="rubric">Example<' not in text)
    if len(lacking) > (1 - SHARE) * len(own):
        yield f"{len(lacking)} of {len(own)} pages have no example, as {', '.join(lacking[:10])}"


def differing_forms(examples):
    """The examples of other forms of a name that print something else under the form's own name."""
    for path in names(modules()):
        session = None if path in examples else derived(path, examples)
        if session and session not in examples.values():
            now = run_examples.rewritten(path, session)
            if now != session:
                yield f"the example of {path}, derived, prints\n{now}"


def damages(pages, files):
    """Each of these is found in a page that has it."""
    name = "names/torch.add.html"
    for before, after in (('href="../', 'href="../no/'), ('id="torch.Tensor.add"', 'id="torch.add"')):
        text = files[name].read_text()
        assert before in text, f"{name} has no {before}"
        if not list(wrong_in(name, Page(text.replace(before, after, 1)), pages, files)):
            yield f"{name}: {before!r} became {after!r}, and nothing was said"
    if not list(without_session({"shown": files[name].read_text(), "bare": "", "empty": ""})):
        yield "pages without examples, and nothing was said"
    session = ">>> 1 + 1\n3"
    if run_examples.rewritten("torch.add", session) == session:
        yield "an example that lies, and nothing was said"


def main(site, root):
    warnings.simplefilter("ignore")
    files = {path.relative_to(site).as_posix(): path for path in sorted(site.rglob("*")) if path.is_file()}
    pages = {name: Page(path.read_text()) for name, path in files.items() if name.endswith(".html")}
    found = [wrong for name, page in pages.items() for wrong in wrong_in(name, page, pages, files)]
    declared, examples = declared_names(root), read(root / "docs/examples")
    known = inventory(site / "objects.inv")
    made = [name for name in pages if re.match(r"(names|modules|guide)/|index\.html", name)]
    found += missing(made, declared, examples, known, searched(site / "searchindex.js"))
    own = {
        name.removeprefix("names/").removesuffix(".html"): files[name].read_text()
        for name in pages
        if name.startswith("names/")
    }
    groups = {"operators": [group[0] for group in declared]}
    groups |= {module: [name for name in own if name.rpartition(".")[0] + "." == module] for module in SHOWN}
    found += without_example(groups, examples)
    found += without_session(own)
    found += differing_forms(examples)
    calls = 0
    for file in [*sorted((root / "docs/examples").glob("*.txt")), *sorted((root / "docs/guide").glob("*.md"))]:
        differing, in_file = run_examples.differences(file)
        calls += in_file
        found += [f"{file.name}: {name} prints\n{now}" for name, _, now in differing]
    found += damages(pages, files)
    links = sum(len(page.links) for page in pages.values())
    print(
        "\n".join(found)
        or f"{len(pages)} pages, {links} links, {len(known)} names, {len(examples)} examples of {calls} calls"
    )
    print(f"{len(pages) + len(declared) + calls - len(found)} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
