# Runtime libraries of the compiler: libstdc++, libgomp, libgfortran, libatomic, libquadmath.
{ mkDebPackage }:
mkDebPackage {
  pname = "gcc-lib";
  postUnpack = "rm -rf $out/share/gcc* $out/share/gdb";
  meta.description = "Runtime libraries of GCC";
}
