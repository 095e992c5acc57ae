{
  description = "swish: an operator for torch, written in C++";

  # A name of the flake registry; README.md says how to make it known. Everything else, compiler and
  # Python included, is what torch itself was built with.
  inputs.torch.url = "flake:torch";

  outputs =
    { self, torch }:
    let
      forSystems = f: builtins.mapAttrs (_: f) torch.legacyPackages;
    in
    {
      packages = forSystems (pkgs: {
        default = pkgs.python3Packages.callPackage ./package.nix { };
      });

      # The package runs its tests while it is built.
      checks = self.packages;

      # python setup.py build_ext --inplace && PYTHONPATH=src python -m pytest
      devShells = forSystems (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.ninja
            (pkgs.python3.withPackages (ps: [
              ps.pytest
              ps.setuptools
              ps.torch
            ]))
          ];
        };
      });
    };
}
