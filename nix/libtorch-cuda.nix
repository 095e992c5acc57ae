# What CUDA adds between its libraries and Python: libtorch_cuda, the rows of their kernels for THPP, torch._cuda and
# torch._thnn._THCUNN.
{
  lib,
  cudaGenerated,
  cudaInterfaces,
  interfacesOfTHPP,
  libtorch_python-interface,
  mkPart,
  python3,
}:
mkPart {
  pname = "libtorch_cuda";
  manifest = "torch_cuda";
  folder = "csrc/cuda";
  paths = [ "csrc/cuda" ];
  nativeBuildInputs = [ python3 ];
  buildInputs = [ libtorch_python-interface ] ++ lib.attrValues cudaInterfaces;
  cmakeFlags = [
    "-DCUDA_GENERATED=${cudaGenerated}"
    "-DPython3_EXECUTABLE=${python3}/bin/python3"
  ];
  postFixup = ''
    unwanted="${
      toString (
        map (i: "${i}/lib") (
          interfacesOfTHPP
          ++ lib.attrValues cudaInterfaces
          ++ [ libtorch_python-interface ]
        )
      )
    } $out/lib"
    rpathFrom '$ORIGIN' $unwanted -- $out/lib/*.so.1
    rpathFrom '$ORIGIN/lib' $unwanted -- $out/python/torch/*.so
    rpathFrom '$ORIGIN/../lib' $unwanted -- $out/python/torch/*/*.so
  '';
  description = "What CUDA adds between its libraries and Python";
}
