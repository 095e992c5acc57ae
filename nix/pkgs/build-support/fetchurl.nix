# fetchurl :: { url, sha256 } -> derivation, a file of Debian's archive
#
#   fetchurl { url = "mirror://debian/pool/main/b/bible-kjv/bible-kjv-text_4.39_all.deb"; sha256 = "…"; }
{ lib, fetchLocked }:
{ url, sha256 }:
let
  archive = "mirror://debian/";
in
assert lib.assertMsg (lib.hasPrefix archive url) "fetchurl ${url}: only ${archive} is served here";
fetchLocked {
  kind = "deb";
  path = lib.removePrefix archive url;
  inherit sha256;
}
