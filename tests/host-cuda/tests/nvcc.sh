#!/bin/sh
# nvcc.sh NVCC: options it takes, options it refuses, and the same bits each time.
set -eu
nvcc=$1
cd "$(mktemp -d)"
mkdir keep
printf '__global__ void k(int *p) { *p = 1; }\nint f() { return 1; }\n' >a.cu
compile() {
  "$nvcc" -c -x cu -std=c++20 -O3 -I. -isystem . -DNDEBUG -D X=1 -gencode arch=compute_90,code=sm_90 \
    -gencode=arch=compute_80,code=[compute_80,sm_80] --expt-relaxed-constexpr --expt-extended-lambda \
    -Xcompiler -fPIC,-Wall -Xcompiler=-fvisibility=hidden -Xfatbin -compress-all --frandom-seed=a.cu --keep --keep-dir keep \
    -MD -MF a.d "$@"
}
compile a.cu -o a.o
compile -o b.o a.cu
cmp a.o b.o
grep -q a.cu a.d
"$nvcc" --version | grep -q 'release 13.0, V13.0'
"$nvcc" --list-gpu-arch | grep -qx compute_90
"$nvcc" -E a.cu | grep -q 'void k'
refuses() {
  words=$1
  shift
  if "$nvcc" "$@" 2>err; then
    echo "nvcc took: $*" >&2
    exit 1
  fi
  grep -q -e "$words" err || { cat err && exit 1; }
}
refuses "Unknown option '-foo'" -foo -c a.cu
refuses "Unknown option '-fPIC'" -fPIC -c a.cu
refuses "Unsupported gpu architecture 'compute_70'" -arch=sm_70 -c a.cu
refuses 'No input files' -c
refuses 'no such file' -c missing.cu
printf '__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n' >launch.cu
refuses 'error' -c launch.cu -o launch.o
printf '__constant__ int table[4];\n' >constant.cu
refuses 'error' -c constant.cu -o constant.o
