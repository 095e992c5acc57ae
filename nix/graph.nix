# `nix run .#graph [WHAT] [-o FILE.svg]`: draws the derivations behind a package, with build times.
#
# The program reads the store and evaluates no flake, so it does not matter which package set this
# one was evaluated with. For that, the derivations themselves (not what they build) are its inputs:
# `unsafeDiscardOutputDependency` says that the .drv file and all behind it must be in the store.
# `nix`, which has to be the one that owns the store, comes from the caller's PATH.
{
  lib,
  coreutils,
  generated,
  interfaces,
  libraries,
  libtorch,
  libtorch_python,
  python,
  python3,
  source,
  torch,
  writeShellScriptBin,
  writeText,
}:
let
  packages = libraries // {
    inherit
      libtorch
      libtorch_python
      python
      torch
      ;
    default = torch;
  };
  ours = lib.attrValues packages ++ lib.attrValues interfaces ++ lib.attrValues generated ++ torch.objects;

  known = writeText "torch-graph-packages.json" (
    builtins.toJSON {
      packages = lib.mapAttrs (_: p: builtins.unsafeDiscardOutputDependency p.drvPath) packages;
      ours = lib.unique (map (p: p.name) ours);
    }
  );
  src = source {
    name = "graph";
    paths = [ "tools/graph" ];
  };
in
writeShellScriptBin "torch-graph" ''
  export TORCH_GRAPH_PACKAGES=${known} PYTHONPATH=${src} PYTHONDONTWRITEBYTECODE=1
  PATH=$PATH:${coreutils}/bin exec ${python3}/bin/python3 -m tools.graph "$@"
''
