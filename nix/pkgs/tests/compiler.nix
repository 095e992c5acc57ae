# The compiler finds its own headers and libraries, and programs find theirs, whatever the host has.
{
  runCommandCC,
  openblas,
  zlib,
}:
runCommandCC "test-compiler"
  {
    buildInputs = [
      openblas
      zlib
    ];
  }
  ''
    set -x
    gcc -O2 -fopenmp ${./openmp.c} -o openmp
    ./openmp

    gcc ${./sgemm.c} -lopenblas -o sgemm
    ./sgemm

    # decoys on every path that a compiler or loader may look at
    mkdir decoys
    echo '#error decoy' | tee decoys/cblas.h decoys/stdio.h
    echo 'float cblas_sgemm(void) { return 0; }' | gcc -shared -x c - -o decoys/libopenblas.so -Wl,-soname,libopenblas.so.0
    cp decoys/libopenblas.so decoys/libopenblas.so.0
    LD_LIBRARY_PATH=$PWD/decoys ./sgemm
    ! readelf -d sgemm | grep RUNPATH

    echo 'int main() { return __cplusplus < 202302L; }' >cpp23.cpp
    g++ -std=c++23 cpp23.cpp -o cpp23 && ./cpp23
    g++ -flto -O2 cpp23.cpp -std=c++23 -o lto && ./lto
    echo 'int main(void) { return 0; }' >static.c
    gcc -static static.c -o static && ./static
    gcc -fsanitize=undefined,address static.c -o sanitized && ASAN_OPTIONS=detect_leaks=0 ./sanitized
    gcc -fsanitize=thread static.c -o tsan && ldd_free=$(readelf -d tsan) && [[ $ldd_free == *libtsan2* ]]

    # a response file, as CMake writes for many objects
    echo 'static.c -o "from response"' >arguments
    gcc @arguments && "./from response"

    # same bits: neither the build folder nor a random number is in an object
    echo 'namespace { int hidden; } int *address() { return &hidden; } const char *file() { return __FILE__; }' >object.cpp
    g++ -g -c $PWD/object.cpp -o first.o
    g++ -g -c $PWD/object.cpp -o second.o
    cmp first.o second.o
    ! grep -F $NIX_BUILD_TOP first.o
    ! grep -F ${builtins.storeDir}/ first.o
    touch $out
  ''
