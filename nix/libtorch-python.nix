# libtorch_python: the bindings. torch._C is a stub that links it.
{
  lib,
  generated,
  interfaces,
  libtorch-interface,
  mkPart,
  objects,
  python3,
}:
let
  python = python3.withPackages (ps: [ ps.numpy ]);
  description = "Python bindings of torch: the library behind torch._C";
  compiling = {
    folder = "csrc/python";
    nativeBuildInputs = [ python ];
    buildInputs = [
      interfaces.shm
      interfaces.THPP
      libtorch-interface
    ];
    cmakeFlags = [
      "-DPYTHON_GENERATED=${generated.python}"
      "-DPython3_EXECUTABLE=${python}/bin/python3"
    ];
  };
  # What codegen writes is half of the work, and needs few of the headers.
  families = objects {
    name = "torch_python";
    families.generated = [
      "csrc/python/CMakeLists.txt"
      "csrc/python/include"
      "csrc/python/operators.h"
      "lib/cmake/TorchFamilies.cmake"
    ];
    compiling = _: compiling;
    inherit description;
    inherit (compiling) folder;
  };
in
mkPart (
  compiling
  // {
    pname = "libtorch_python";
    manifest = "torch_python";
    paths = [
      "csrc/python"
      "lib/cmake/LibraryConfig.cmake.in"
      "lib/cmake/TorchFamilies.cmake"
    ];
    inherit (families) postPatch preConfigure disallowedReferences;
    postFixup = ''
      rpathFrom '$ORIGIN' ${
        toString (map (i: "${i}/lib") (lib.attrValues interfaces ++ [ libtorch-interface ]))
      } \
        -- $out/lib/libtorch_python.so.1
    '';
    passthru = { inherit (families) objects; };
    inherit description;
  }
)
