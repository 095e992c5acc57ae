# The Debian side of the package set: locked files, and packages made from them.
#
# `grouped` are the packages that merge debs (./groups.nix), which the rest of the set defines;
# a library of a single deb needs no definition.
{
  system,
  lib,
  grouped,
}:
let
  lock = lib.importJSON ../debs.lock.json;
  groups = import ./groups.nix;

  unused = lib.genAttrs (import ./unused.nix) (_: null);
  isUnused = deb: unused ? ${deb};

  owners = lib.concatMapAttrs (name: debs: lib.genAttrs debs (_: name)) groups;
  ownerOf = deb: owners.${deb} or deb;

  busybox = import ../seed/busybox.nix {
    inherit system;
    lock = lock.seed;
  };
  busyboxTools = import ../seed/tools.nix { inherit system busybox; };
  fetchLocked = import ../seed/fetch-locked.nix { inherit system busybox; };

  fetchDeb =
    name:
    let
      entry =
        lock.debs.${name} or lock.files.${name}
          or (throw "deb ${name} is not locked: add it to nix/pkgs/debs.roots.toml and run nix/pkgs/update");
    in
    fetchLocked {
      kind = "deb";
      inherit (entry) path sha256;
    };

  debPackages = lib.mapAttrs (name: _: grouped.${name} or (mkDebPackage { pname = name; })) (
    lock.debs // groups // { patchelf-bootstrap = null; }
  );

  mkDebPackage = import ./make-package.nix {
    inherit
      system
      lib
      lock
      fetchDeb
      busyboxTools
      debPackages
      groups
      ownerOf
      isUnused
      ;
  };
in
{
  inherit
    lock
    busyboxTools
    fetchLocked
    fetchDeb
    debPackages
    mkDebPackage
    ;
  busybox-seed = busybox;
}
