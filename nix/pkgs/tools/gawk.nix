# GNU awk, also called awk.
{ mkDebPackage }:
mkDebPackage {
  pname = "gawk";
  postUnpack = "ln -s gawk $out/bin/awk";
  meta.description = "GNU awk";
}
