# TLS. Who is compiled against it links Debian's library, a package of its own, since Python links that, too: `out` has its
# names alone, so nobody's closure holds the headers.
{ debPackages, stdenvNoCC }:
stdenvNoCC.mkDerivation {
  pname = "openssl";
  inherit (debPackages.libssl3t64) version;
  outputs = [
    "out"
    "dev"
  ];
  dontUnpack = true;
  installPhase = ''
    mkdir -p $out/lib $dev/nix-support
    for name in ssl crypto; do
      ln -s ${debPackages.libssl3t64}/lib/lib$name.so.3 $out/lib/
      ln -s lib$name.so.3 $out/lib/lib$name.so
    done
    cp -r ${debPackages.libssl-dev}/include $dev/
    echo $out >$dev/nix-support/propagated-build-inputs
  '';
  meta.description = "Cryptographic library that implements the TLS protocols";
}
