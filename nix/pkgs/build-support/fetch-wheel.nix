# fetchWheel :: name -> derivation, a wheel that wheels.lock.json has (written by nix/pkgs/update).
# Its `version` is beside it.
{ lib, fetchLocked }:
let
  lock = lib.importJSON ../wheels.lock.json;
in
name:
let
  entry =
    lock.${name}
      or (throw "wheel ${name} is not locked: add it to nix/pkgs/wheels.roots.toml and run nix/pkgs/update");
in
# ./nixw reads "wheel", what to ask pip for, and the file that then comes.
fetchLocked {
  kind = "wheel ${name}==${entry.version}";
  path = entry.file;
  inherit (entry) sha256;
}
// {
  inherit (entry) version;
}
