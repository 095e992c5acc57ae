# The extension modules: torch._C, torch._dl, torch._thnn._THNN, in python/torch/; and what users build
# their own with: headers, share/cmake/Torch.
{
  generated,
  interfacesOfTHPP,
  libtorch_python-interface,
  mkPart,
  python3,
}:
let
  python = python3.withPackages (ps: [ ps.pybind11 ]);
in
mkPart {
  pname = "torch-modules";
  manifest = "modules";
  folder = "csrc/modules";
  paths = [
    "csrc/extension"
    "csrc/modules"
    "lib/cmake/TorchConfig.cmake"
    "lib/cmake/TorchConfigVersion.cmake"
  ];
  nativeBuildInputs = [ python ];
  buildInputs = [ libtorch_python-interface ];
  cmakeFlags = [
    "-DNN_GENERATED=${generated.nn}"
    "-DPython3_EXECUTABLE=${python}/bin/python3"
  ];
  postFixup = ''
    unwanted="${
      toString (
        map (i: "${i}/lib") (
          interfacesOfTHPP ++ [ libtorch_python-interface ]
        )
      )
    }"
    rpathFrom '$ORIGIN/lib' $unwanted -- $out/python/torch/*.so
    rpathFrom '$ORIGIN/../lib' $unwanted -- $out/python/torch/*/*.so
  '';
  description = "The extension modules of torch";
}
