# The first program: Debian's static busybox as a folder of its own, made by `./nixw` from the deb
# that `lockedFile` names ("seed", pool path, file in the deb, file in the folder; mode 555), since
# nothing here could unpack it. A folder, because a flat store file cannot be executable; called
# busybox, because it picks its applet by its own file name.
{ system, lock }:
derivation {
  name = "busybox-seed";
  inherit system;
  lockedFile = "seed ${lock.path} ${lock.member} ${lock.target}";
  lockedSha256 = lock.sha256;
  outputHashMode = "recursive";
  outputHashAlgo = "sha256";
  outputHash = lock.narHash;
  # No program exists yet that could print a message: let Nix's own downloader fail with one, which
  # quotes this address.
  builder = "builtin:fetchurl";
  url = "file:///run-the-same-command-through-nixw,-which-brings-in/${lock.path}";
}
