# Compiler cache.
{ mkDebPackage }:
mkDebPackage {
  pname = "ccache";
  # Links for a system's compilers, and the program that makes them.
  postUnpack = "rm -r $out/lib $out/bin/update-ccache-symlinks";
  meta = {
    description = "Compiler cache";
    mainProgram = "ccache";
  };
}
