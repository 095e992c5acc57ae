# What needs the wheels, and so stands outside of `tests`: nix build path:nix/pkgs#cudaPackages.tests
# nvcc compiles for what it says it compiles for, alike each time; a program that g++ links loads runtime, cuBLAS and
# what they open by name, and hears on a machine without a driver that there is none.
{
  backendStdenv,
  cccl,
  cuda_cudart,
  cuda_nvcc,
  cuda_nvrtc,
  libcublas,
}:
backendStdenv.mkDerivation {
  name = "test-cuda-packages";
  src = ../tests/cuda;
  nativeBuildInputs = [ cuda_nvcc ];
  buildInputs = [
    cccl
    cuda_cudart
    cuda_nvrtc
    libcublas
  ];
  buildPhase = ''
    nvcc --list-gpu-arch | tr '\n' ' ' | tee architectures
    [ "$(tr ' ' '\n' < architectures | sed 's/compute_//' | sort -n | tr '\n' ' ')" = \
      "75 80 86 87 88 89 90 100 103 110 120 121 " ]
    includes=$(echo $NIX_CFLAGS_COMPILE | tr ' ' '\n' | sed -n 's/^-isystem//p; /^\//p' | sed 's/^/-I/')
    for try in 1 2; do
      mkdir -p keep
      nvcc -std=c++20 -ccbin $CXX -gencode=arch=compute_90,code=sm_90 $includes \
        --frandom-seed=scan.cu --keep --keep-dir keep -c scan.cu -o scan$try.o
      rm -r keep
    done
    cmp scan1.o scan2.o
    $CXX scan1.o -o scan -lcudart -lcublas -lcublasLt -ldl
    ./scan | tee report.txt
  '';
  installPhase = "cp report.txt $out";
  dontFixup = true;
}
