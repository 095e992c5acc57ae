# torch._nvrtc and torch._nvtx, in python/torch/: made with the CUDA toolkit and no library of ours.
{
  cuda,
  mkPart,
  python3,
}:
mkPart {
  pname = "torch-cuda-modules";
  manifest = "cuda_modules";
  folder = "csrc/cuda-modules";
  paths = [
    "csrc/cuda-modules"
    "csrc/python/include/torch_python/taking_gil.h"
  ];
  nativeBuildInputs = [ python3 ];
  buildInputs = with cuda.vendorPackages; cuda_cudart ++ cuda_nvrtc ++ cuda_nvtx;
  cmakeFlags = [ "-DPython3_EXECUTABLE=${python3}/bin/python3" ];
  postFixup = "rpathFrom '$ORIGIN/lib' -- $out/python/torch/*.so";
  description = "The extension modules of torch over NVRTC and NVTX";
}
