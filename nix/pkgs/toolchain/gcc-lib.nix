# Runtime libraries of the compiler: libstdc++, libgomp, libgfortran, libatomic, libquadmath. Named as nixpkgs
# names what is the output `lib` of its compiler.
{ mkDebPackage }:
let
  gcc-lib = mkDebPackage {
    pname = "gcc-lib";
    name = "gcc-${gcc-lib.version}-lib";
    postUnpack = "rm -rf $out/share/gcc* $out/share/gdb";
    meta.description = "Runtime libraries of GCC";
  };
in
gcc-lib
