# The King James Bible, a verse a line, that examples/char_gpt.py learns from: out of Debian's bible-kjv-text, whose name
# and hash nix/pkgs has locked. nixpkgs does not have the text, but knows where Debian's mirrors are.
{
  lib,
  runCommand,
  fetchurl,
  binutils,
  gzip,
  python3,
  xz,
}:
let
  entry = (lib.importJSON ./pkgs/debs.lock.json).files.bible-kjv-text;
  deb = fetchurl {
    url = "mirror://debian/${entry.path}";
    inherit (entry) sha256;
  };
in
runCommand "bible"
  {
    nativeBuildInputs = [
      binutils
      gzip
      python3
      xz
    ];
    meta.description = "The King James Bible as text";
  }
  ''
    mkdir $out
    ar p ${deb} data.tar.xz | xz -dc | tar -xO ./usr/lib/bible.data >bible.data
    python3 -I ${./bible.py} bible.data $out/bible.txt
  ''
