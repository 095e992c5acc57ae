"""Which pages have no example, most of a module first.

python docs/site/lacking.py [PREFIX]     with torch, codegen and this repository's root as the folder
"""

import sys

import generate


def lacking(site):
    """(number of pages, those without an example, sorted)."""
    paths = [path for path in {*site.names, *site.operators} if site.pages[path] == path]
    return len(paths), sorted(path for path in paths if not site.example(path))


def main(prefix=""):
    pages, found = lacking(generate.Site(generate.ROOT))
    shown = [path for path in found if path.startswith(prefix)]
    print("\n".join([*shown, f"{pages} pages, {len(found)} without an example"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
