# mkModule { pname; manifest; folder; paths; interfaces; vendor; description; ... } -> the derivation of extension modules
# that a CMakeLists.txt of csrc/ makes by lib/cmake/TorchModule.cmake. `interfaces`: our libraries that they link besides
# libtorch_python; at run time these lie in torch/lib. `vendor`: libraries of others. Further attributes are mkPart's.
{
  interfacesOfTHPP,
  libtorch_python-interface,
  mkPart,
  python3,
}:
{
  paths,
  interfaces ? [ ],
  vendor ? [ ],
  cmakeFlags ? [ ],
  postFixup ? "",
  ...
}@attributes:
let
  python = python3.withPackages (ps: [ ps.pybind11 ]);
  linked = interfaces ++ [ libtorch_python-interface ];
in
mkPart (
  removeAttrs attributes [
    "interfaces"
    "vendor"
  ]
  // {
    paths = paths ++ [ "lib/cmake/TorchModule.cmake" ];
    nativeBuildInputs = [ python ];
    buildInputs = linked ++ vendor;
    cmakeFlags = cmakeFlags ++ [ "-DPython3_EXECUTABLE=${python}/bin/python3" ];
    postFixup = ''
      unwanted="${toString (map (i: "${i}/lib") (interfacesOfTHPP ++ linked))}"
      rpathFrom '$ORIGIN/lib' $unwanted -- $out/python/torch/*.so
    ''
    + postFixup;
  }
)
