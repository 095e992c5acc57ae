# The package set of a stranger, with overlays.default and nothing else of this flake: its Python has the torch that is
# built here, for all its packages; what comes later can change it; the rest of the set is as it was. And docs/nixpkgs.md
# has a row for each file that it takes.
{
  lib,
  pkgs,
  python3Packages,
  runCommand,
  stdenv,
  torch,
}:
let
  setWith =
    overlays:
    import pkgs.path {
      inherit (stdenv.hostPlatform) system;
      config = { };
      inherit overlays;
    };
  set = setWith [ (import ../overlay.nix) ];
  later = setWith [
    (import ../overlay.nix)
    (_: previous: {
      pythonPackagesExtensions = previous.pythonPackagesExtensions ++ [
        (_: previous: { torch = previous.torch.override { mklDnnSupport = false; }; })
      ];
    })
  ];
  user =
    { buildPythonPackage, torch }:
    buildPythonPackage {
      pname = "user";
      version = "1";
      pyproject = true;
      dependencies = [ torch ];
    };
  same = a: b: a.drvPath == b.drvPath;

  cases = {
    "python3Packages.torch" = same set.python3Packages.torch torch;
    "python3.pkgs.torch" = same set.python3.pkgs.torch torch;
    "torchScope.torch" = same set.torchScope.torch torch;
    "who requires it" = lib.any (same torch) (set.python3Packages.callPackage user { }).requiredPythonModules;
    "the rest of the set" = same set.python3Packages.numpy python3Packages.numpy && same set.oneDNN pkgs.oneDNN;
    "an overlay after it" = same later.python3Packages.torch (torch.override { mklDnnSupport = false; });
    "the control: that one is another" = !(same later.python3Packages.torch torch);
    "a set without it" = !(setWith [ ] ? torchScope);
  };
  failed = lib.attrNames (lib.filterAttrs (_: ok: !ok) cases);

  # Between backquotes, in the table's first column.
  named = lib.concatMap (row: lib.concatLists (lib.filter builtins.isList (builtins.split "`nix/([^`]*)`" row))) (
    map (row: lib.head (lib.splitString " | " row)) (
      lib.filter (lib.hasPrefix "| `nix/") (lib.splitString "\n" (builtins.readFile ../../docs/nixpkgs.md))
    )
  );
  # Folders that are one derivation's, "python/", are named as a whole.
  files =
    lib.attrNames (lib.filterAttrs (_: type: type == "regular") (builtins.readDir ../.))
    ++ lib.filter (name: lib.hasSuffix "/" name && builtins.pathExists (../. + "/${name}default.nix")) named;
  unknown = lib.subtractLists files named;
  absent = lib.subtractLists named files;
in
assert lib.assertMsg (failed == [ ]) "overlays.default: wrong: ${lib.concatStringsSep "; " failed}";
assert lib.assertMsg (unknown == [ ]) "docs/nixpkgs.md: there is no nix/${lib.head unknown}";
assert lib.assertMsg (absent == [ ]) "docs/nixpkgs.md has no row for nix/${lib.head absent}";
assert lib.assertMsg (lib.length named == lib.length files) "docs/nixpkgs.md names a file of nix/ twice";
runCommand "torch-overlay" { python = set.python3.withPackages (ps: [ ps.torch ]); } ''
  mkdir $out
  $python/bin/python -c 'import os, torch; print(os.path.realpath(torch.__file__))' | grep "^${torch}/"
  $python/bin/python -c 'import torch; print((torch.ones(3, 3) @ torch.ones(3)).tolist())' | grep -Fx '[3.0, 3.0, 3.0]'
  echo "${toString (lib.length (lib.attrNames cases) + 2)} passed, 0 failed" > $out/report.txt
''
