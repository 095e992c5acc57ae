# Every attribute of the set that is a package can be built; nothing is exported untested.
{
  lib,
  linkFarm,
  pkgs,
}:
let
  packages = set: lib.filterAttrs (_: lib.isDerivation) (removeAttrs set [ "pkgs" "pythonPackages" ]);
in
linkFarm "all-packages" (
  packages pkgs
  // lib.mapAttrs' (name: lib.nameValuePair "python3Packages.${name}") (packages pkgs.python3Packages)
)
