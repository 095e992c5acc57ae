# The wheels that NVIDIA publishes of generation 13, by nixpkgs' names of what they hold: the only place that says which.
#
#   wheel       the distribution
#   folder      where it lies in site-packages
#   libraries   what programs link, without .so and version
builtins.mapAttrs
  (
    _: row:
    {
      folder = "nvidia/cu13";
      libraries = [ ];
    }
    // row
  )
  {
    cuda_crt.wheel = "nvidia-cuda-crt";
    cuda_cudart = {
      wheel = "nvidia-cuda-runtime";
      libraries = [ "libcudart" ];
    };
    cuda_nvcc.wheel = "nvidia-cuda-nvcc";
    cuda_nvrtc = {
      wheel = "nvidia-cuda-nvrtc";
      libraries = [ "libnvrtc" ];
    };
    cuda_nvtx.wheel = "nvidia-nvtx";
    cccl.wheel = "nvidia-cuda-cccl";
    libnvjitlink = {
      wheel = "nvidia-nvjitlink";
      libraries = [ "libnvJitLink" ];
    };
    libnvvm.wheel = "nvidia-nvvm";
    libcublas = {
      wheel = "nvidia-cublas";
      libraries = [
        "libcublas"
        "libcublasLt"
      ];
    };
    libcufft = {
      wheel = "nvidia-cufft";
      libraries = [ "libcufft" ];
    };
    libcurand = {
      wheel = "nvidia-curand";
      libraries = [ "libcurand" ];
    };
    libcusparse = {
      wheel = "nvidia-cusparse";
      libraries = [ "libcusparse" ];
    };
    libcusolver = {
      wheel = "nvidia-cusolver";
      libraries = [ "libcusolver" ];
    };
    cudnn = {
      wheel = "nvidia-cudnn-cu13";
      folder = "nvidia/cudnn";
      libraries = [ "libcudnn" ];
    };
    nccl = {
      wheel = "nvidia-nccl-cu13";
      folder = "nvidia/nccl";
      libraries = [ "libnccl" ];
    };
  }
