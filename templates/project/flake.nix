{
  description = "a project that uses torch";

  # A name of the flake registry; README.md says how to make it known. Packages, Python included, are those that torch
  # itself is built with.
  inputs.torch.url = "flake:torch";
  # For the shell that `nix develop` starts.
  inputs.nixpkgs.follows = "torch/nixpkgs";

  outputs =
    { torch, ... }:
    let
      forSystems = f: builtins.mapAttrs (_: f) torch.legacyPackages;
      # What `import` finds. `nix develop` fetches or builds what you add here.
      python =
        pkgs:
        pkgs.python3.withPackages (ps: [
          ps.torch
          ps.numpy
          ps.einops
          ps.matplotlib
        ]);
    in
    {
      packages = forSystems (pkgs: {
        default = python pkgs;
      });

      # python script.py
      devShells = forSystems (pkgs: {
        default = pkgs.mkShell { packages = [ (python pkgs) ]; };
      });
    };
}
