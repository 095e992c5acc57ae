# CMake, which configures a build when it is among nativeBuildInputs (setup-hook.sh).
{ mkDebPackage }:
mkDebPackage {
  pname = "cmake";
  postUnpack = "rm -rf $out/share/cmake-*/Help $out/share/doc/cmake*/examples";
  setupHook = ./setup-hook.sh;
  meta = {
    description = "Build system generator";
    mainProgram = "cmake";
  };
}
