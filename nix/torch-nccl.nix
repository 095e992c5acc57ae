# torch._nccl: collectives of NCCL between devices.
{
  cuda,
  cudaInterfaces,
  interfacesOfTHPP,
  libtorch_python-interface,
  mkPart,
  python3,
}:
mkPart {
  pname = "torch_nccl";
  manifest = "torch_nccl";
  folder = "csrc/nccl";
  paths = [
    "csrc/nccl"
    "csrc/cuda/python/bind.h"
  ];
  nativeBuildInputs = [ python3 ];
  buildInputs = [
    libtorch_python-interface
    cudaInterfaces.THC
  ]
  ++ cuda.vendorPackages.cuda_cudart
  ++ cuda.vendorPackages.cuda_cccl
  ++ cuda.vendorPackages.nccl;
  cmakeFlags = [ "-DPython3_EXECUTABLE=${python3}/bin/python3" ];
  postFixup = ''
    unwanted="${
      toString (
        map (i: "${i}/lib") (
          interfacesOfTHPP
          ++ [
            cudaInterfaces.THC
            libtorch_python-interface
          ]
        )
      )
    }"
    rpathFrom '$ORIGIN/lib' $unwanted -- $out/python/torch/*.so
  '';
  description = "Collectives of NCCL for torch.cuda";
}
