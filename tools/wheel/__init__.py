"""Makes a wheel for other machines out of an installed package of the Nix store: `python -m tools.wheel`."""
