"""The documents in Markdown: README.md, CONTRIBUTING.md and docs/*.md, whose mentions of each other become links."""

import re
import shutil

REPOSITORY = ("README.md", "CONTRIBUTING.md")
GUIDES = (
    "tensors",
    "training",
    "autograd",
    "sparse",
    "data",
    "moving",
    "packages",
    "nix",
    "extending",
)


def copy(root, out):
    """Writes the pages, and the front page's lists of them."""
    pages = {f"docs/{path.name}": path.name for path in sorted((root / "docs").glob("*.md"))}
    pages |= {name: name.lower() for name in REPOSITORY}
    guides = [name for name in (f"guide/{guide}.md" for guide in GUIDES) if (root / "docs" / name).exists()]
    pages |= {f"docs/{name}": name for name in guides}
    for source, target in pages.items():
        (out / target).parent.mkdir(parents=True, exist_ok=True)
        (out / target).write_text(linked((root / source).read_text(), target, pages))
    for picture in sorted((root / "docs").glob("*.svg")):
        shutil.copyfile(picture, out / picture.name)
    front = (root / "docs/site/index.md").read_text()
    others = [name for name in pages.values() if name not in (*guides, "extending.md", "index.md")]
    for mark, names in (("GUIDES", [*guides, "extending.md"]), ("DOCUMENTS", others)):
        front = front.replace(f"@{mark}@", "\n".join(name.removesuffix(".md") for name in names))
    (out / "index.md").write_text(front)


def linked(text, target, pages):
    """The text with links from the names of documents, and above a block of code the file that it belongs into."""
    up = "../" * target.count("/")

    def link(match):
        page = pages.get(match[1])
        return f"[`{match[1]}`]({up}{page})" if page and page != target else match[0]

    def block(match):
        return f"`{match[3]}`\n\n{match[1]}{match[2]}\n" if match[3] else match[0]

    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.MULTILINE | re.DOTALL)
    for i, part in enumerate(parts):
        if i % 2:
            parts[i] = re.sub(r"\A( *```)(\w+) ([\w./-]+)[^\n]*\n", block, part)
        else:
            part = re.sub(r"(?<!\[)`([\w./-]+\.md)`", link, part)
            parts[i] = re.sub(r"\]\(((?:docs/)?[\w-]+\.md)\)", lambda m: f"]({up}{place(m[1], pages)})", part)
    return "".join(parts)


def place(name, pages):
    return pages.get(name) or pages.get(f"docs/{name}") or name
