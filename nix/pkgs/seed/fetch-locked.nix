# fetchLocked { kind; path; sha256; } -> the file of that pool path, as a fixed-output derivation.
#
# Nothing is downloaded here, since the lock says what and never where. `./nixw` reads `lockedFile`
# of every such derivation whose output is missing, asks the machine's package client for the file
# and puts it into the store; building one means that this did not happen.
{ system, busybox }:
{
  kind,
  path,
  sha256,
}:
let
  inherit (builtins) replaceStrings;
  # A store name may hold neither of these; a Debian version may.
  name = replaceStrings [ "~" ":" "%" ] [ "-" "-" "-" ] (baseNameOf path);
in
derivation {
  inherit name system;
  lockedFile = "${kind} ${path}";
  outputHashMode = "flat";
  outputHashAlgo = "sha256";
  outputHash = sha256;
  builder = "${busybox}/bin/busybox";
  args = [
    "sh"
    "-c"
    ''
      echo "not in the Nix store: $lockedFile; run the same command through ./nixw, which brings it in"
      exit 1
    ''
  ];
}
