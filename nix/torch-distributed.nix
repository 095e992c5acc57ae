# torch._distributed: stores and groups of THD for Python.
{
  interfaces,
  interfacesOfTHPP,
  libtorch-interface,
  libtorch_python-interface,
  mkPart,
  python3,
}:
let
  python = python3.withPackages (ps: [ ps.pybind11 ]);
in
mkPart {
  pname = "torch-distributed";
  manifest = "torch_distributed";
  folder = "csrc/distributed";
  paths = [
    "csrc/distributed"
    "csrc/extension"
  ];
  nativeBuildInputs = [ python ];
  buildInputs = [
    libtorch-interface
    libtorch_python-interface
    interfaces.THD
  ];
  cmakeFlags = [ "-DPython3_EXECUTABLE=${python}/bin/python3" ];
  postFixup = ''
    unwanted="${
      toString (
        map (i: "${i}/lib") (
          interfacesOfTHPP
          ++ [
            interfaces.THD
            libtorch-interface
            libtorch_python-interface
          ]
        )
      )
    }"
    rpathFrom '$ORIGIN/lib' $unwanted -- $out/python/torch/*.so
  '';
  description = "Stores and process groups for Python";
}
