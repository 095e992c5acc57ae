"""Draws the derivations behind a package as SVG, with the time that each took to build: `nix run .#graph`.

derivations.py reads them from Nix, times.py finds out how long each took, view.py decides what is shown, layout.py
where, svg.py draws it. Standard library alone: graphviz would bring some forty packages into the package set.
"""
