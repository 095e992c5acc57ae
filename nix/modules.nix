# The extension modules: torch._C, torch._dl, torch._thnn._THNN, in python/torch/; and what users build
# their own with: headers, share/cmake/Torch.
{
  lib,
  stdenv,
  cmake,
  ninja,
  patchelf,
  python3,
  generated,
  interfaces,
  libraries,
  libtorch_python-interface,
  source,
  version,
}:
let
  python = python3.withPackages (ps: [ ps.pybind11 ]);
  paths = [
    "csrc/extension"
    "csrc/modules"
    "lib/cmake/TorchConfig.cmake"
    "lib/cmake/TorchConfigVersion.cmake"
  ];
in
stdenv.mkDerivation {
  pname = "torch-modules";
  inherit version;
  src = source {
    name = "torch-modules";
    inherit paths;
  };
  unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
  sourceRoot = "source";
  postPatch = ''
    source ${./manifest.sh}
    writeManifest modules ${toString paths}
    cd csrc/modules
  '';
  nativeBuildInputs = [
    cmake
    ninja
    patchelf
    python
  ];
  buildInputs = [ libtorch_python-interface ];
  cmakeFlags = [
    "-DNN_GENERATED=${generated.nn}"
    "-DPython3_EXECUTABLE=${python}/bin/python3"
  ];
  postInstall = "installManifest";
  postFixup = ''
    source ${./relink.sh}
    unwanted="${
      toString (
        map (i: "${i}/lib") (
          lib.attrValues interfaces
          ++ [
            libtorch_python-interface
            libraries.THPP
          ]
        )
      )
    }"
    rpathFrom '$ORIGIN/lib' $unwanted -- $out/python/torch/*.so
    rpathFrom '$ORIGIN/../lib' $unwanted -- $out/python/torch/*/*.so
  '';
  meta = {
    description = "The extension modules of torch";
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
}
