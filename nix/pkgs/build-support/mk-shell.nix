# mkShell :: { packages, inputsFrom, shellHook, ... } -> derivation for `nix develop`
# `inputsFrom`: the inputs of these derivations, but not the derivations themselves.
{ lib, stdenv }:
{
  name ? "nix-shell",
  packages ? [ ],
  inputsFrom ? [ ],
  nativeBuildInputs ? [ ],
  buildInputs ? [ ],
  propagatedBuildInputs ? [ ],
  shellHook ? "",
  ...
}@attrs:
let
  merge =
    list: own:
    own ++ lib.subtractLists inputsFrom (lib.concatMap (drv: drv.${list} or [ ]) inputsFrom);
in
stdenv.mkDerivation (
  removeAttrs attrs [
    "inputsFrom"
    "packages"
  ]
  // {
    inherit name;
    nativeBuildInputs = merge "nativeBuildInputs" (packages ++ nativeBuildInputs);
    buildInputs = merge "buildInputs" buildInputs;
    propagatedBuildInputs = merge "propagatedBuildInputs" propagatedBuildInputs;
    shellHook = lib.concatStringsSep "\n" (
      lib.catAttrs "shellHook" (lib.reverseList inputsFrom ++ [ { inherit shellHook; } ])
    );
    # Only `nix develop` uses it; as a build it is the list of its inputs, so that checks can have it.
    phases = "buildPhase";
    buildPhase = ''
      printf '%s\n' $nativeBuildInputs $buildInputs $propagatedBuildInputs >$out
    '';
  }
)
