# torch._nccl: collectives of NCCL between devices.
{
  cuda,
  cudaInterfaces,
  mkModule,
}:
mkModule {
  pname = "torch_nccl";
  manifest = "torch_nccl";
  folder = "csrc/nccl";
  paths = [
    "csrc/nccl"
    "csrc/cuda/python/bind.h"
  ];
  interfaces = [ cudaInterfaces.THC ];
  vendor = with cuda.vendorPackages; cuda_cudart ++ cuda_cccl ++ nccl;
  description = "Collectives of NCCL for torch.cuda";
}
