"""python -m tools.graph --help; `nix run .#graph` gives it what it must know of the flake."""

import argparse
import json
import os
import sys

from . import derivations, svg, times, view


def parser():
    what = argparse.ArgumentParser(
        prog="graph", description="Draws the derivations behind a package, with build times."
    )
    what.add_argument(
        "installable",
        nargs="?",
        default=".#torch",
        metavar="WHAT",
        help="a package of this flake (.#torch, the default; .#TH, .#python, …), a .drv file, "
        "or what nix path-info takes",
    )
    what.add_argument("--output", "-o", default="graph.svg", metavar="FILE.svg", help="default: %(default)s")
    what.add_argument(
        "--all", action="store_true", help="draw the toolchain, too, not only what is ours and what ours ask for"
    )
    what.add_argument(
        "--measure",
        action="store_true",
        help="build each of ours again, one after the other, instead of reading Nix's logs",
    )
    return what


def known_packages():
    """What nix/graph.nix wrote down: {"packages": {name: .drv file}, "ours": [derivation name]}."""
    path = os.environ.get("TORCH_GRAPH_PACKAGES")
    if not path:
        return {"packages": {}, "ours": []}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main(arguments=None):
    """Writes the drawing and says where it is. Returns the exit status."""
    options = parser().parse_args(arguments)
    known = known_packages()
    packages, name = known["packages"], options.installable.removeprefix(".#")
    try:
        if packages and name not in packages and not any(mark in name for mark in "#/.:"):
            raise derivations.NixError(f"there is no package {name}; there are: {', '.join(sorted(packages))}")
        path = packages.get(name) or derivations.resolve(options.installable)
        found = derivations.closure(path)
        drawn = picture(found, derivations.base(path), set(known["ours"]), options)
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(svg.draw(drawn, f"What {found[derivations.base(path)].name} is built from"))
    except (derivations.NixError, OSError) as error:
        print(f"graph: {error}", file=sys.stderr)
        return 1
    print(f"{options.output}: {len(drawn.nodes)} of {len(found)} derivations; {svg.summary(drawn)}")
    return 0


def picture(found, target, ours, options):
    seconds = times.from_logs(found, times.registrations(found))
    if options.measure:
        mine = [
            identity
            for identity in view.in_order(found)
            if found[identity].name in ours or (not ours and identity == target)
        ]
        seconds.update(times.measure(mine, lambda text: print(text, end="", file=sys.stderr, flush=True)))
    return view.view(found, target, seconds, ours.__contains__, options.all)


if __name__ == "__main__":
    sys.exit(main())
