# TLS. What is compiled against it links Debian's library, a package of its own, which Python links, too.
{ mkDebPackage }:
mkDebPackage {
  pname = "openssl";
  debs = [ "libssl-dev" ];
  meta.description = "Cryptographic library that implements the TLS protocols";
}
