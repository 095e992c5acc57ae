# The checks of `nix flake check`, each a derivation whose $out/report.txt ends in its closing lines.
{
  lib,
  pkgs,
  callPackage,
  libraries,
  scopeWith,
}:
let
  # TH.tests.{unit,abi} becomes TH-unit, TH-abi.
  ofLibraries = lib.concatMapAttrs (
    name: library: lib.mapAttrs' (test: lib.nameValuePair "${name}-${test}") library.tests
  ) libraries;
in
ofLibraries
# The embedded package set brings unit tests of its own; nixpkgs has its own elsewhere.
// lib.optionalAttrs (pkgs ? setTests) {
  package-set = callPackage ./checks/package-set.nix { inherit (pkgs) setTests; };
}
// {
  codegen = callPackage ./checks/codegen.nix { };
  python = callPackage ./checks/python.nix { };
  docs = callPackage ./checks/docs.nix { };
  wheel = callPackage ./checks/wheel.nix { };
  build-tools = callPackage ./checks/build-tools.nix { };
  setup-py = callPackage ./checks/setup-py.nix { };
  extension = callPackage ./checks/extension.nix { };
  formatter = callPackage ./checks/formatter.nix { };
  format = callPackage ./checks/format.nix { };
  graph = callPackage ./checks/graph.nix { };
  example = callPackage ./checks/example.nix { };
  readme = callPackage ./checks/readme.nix { };
  closure = callPackage ./checks/closure.nix { };
  no-search-left = callPackage ./checks/no-search-left.nix { };
  hermetic = callPackage ./checks/hermetic.nix { };
  rebuild-matrix = callPackage ./checks/rebuild-matrix.nix { inherit scopeWith; };
  libraries-toml = callPackage ./checks/libraries-toml.nix { inherit scopeWith; };
}
