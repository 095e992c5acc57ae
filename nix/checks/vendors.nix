# Vendors' packages come in several shapes: Highway shared or static, and with the part that sorts in an output of its
# own or not; BLAS as OpenBLAS, or by the standard names, of one library or several. A library of two lines, made the
# way all of ours are, links each; of an archive it exports nothing.
{
  lib,
  runCommandCC,
  cmake,
  ninja,
  source,
}:
let
  packages = import ../vendor-packages.nix;
  highway = libhwy: (packages { inherit libhwy; blas = "blas"; lapack = "lapack"; gloo = "gloo"; oneDNN = "oneDNN"; pocketfft = "pocketfft"; }).libhwy;
  whole = { name = "libhwy"; };
  split = whole // { contrib = "contrib"; };
  src = source {
    name = "vendors";
    paths = [ "lib/cmake" ];
  };
in
assert highway whole == [ whole ];
assert highway split == [ split "contrib" ];
runCommandCC "torch-vendors"
  {
    nativeBuildInputs = [
      cmake
      ninja
    ];
  }
  ''
    mkdir $out
    cp -r --no-preserve=mode ${src}/lib lib
    mkdir -p lib/Mini/src lib/Mini/include headers/hwy
    printf '[Mini]\nneeds = []\nvendor = ["libhwy"]\n' > lib/libraries.toml
    cat > lib/Mini/CMakeLists.txt <<'EOF'
    cmake_minimum_required(VERSION 3.20)
    project(Mini LANGUAGES CXX)
    include(../cmake/TorchLibrary.cmake)
    torch_library(Mini SOURCES src/mini.cpp)
    EOF
    echo 'int sorted(); int targets();' > headers/hwy/highway.h
    cat > lib/Mini/src/mini.cpp <<'EOF'
    #include <hwy/highway.h>
    __attribute__((visibility("default"))) int mini() { return sorted() + targets(); }
    #ifdef HWY_SHARED_DEFINE
    __attribute__((visibility("default"))) int shared() { return 1; }
    #endif
    EOF
    # highway NAME CODE static|shared FOLDER
    highway() {
      mkdir -p $4/lib
      echo "$2" | g++ -fPIC -x c++ -c - -o $1.o
      case $3 in
        static) ar rc $4/lib/lib$1.a $1.o ;;
        shared) g++ -shared $1.o -o $4/lib/lib$1.so -Wl,-soname,lib$1.so.1 ;;
      esac
    }
    passed=0
    # links KIND FOLDER-OF-CONTRIB EXPORTED NEEDED
    links() {
      rm -rf whole contrib build && mkdir whole
      cp -r headers whole/include
      highway hwy 'int targets() { return 40; }' $1 whole
      highway hwy_contrib 'int sorted() { return 2; }' $1 $2
      cmake -S lib/Mini -B build -G Ninja -DCMAKE_PREFIX_PATH="$PWD/whole;$PWD/contrib" > log
      cmake --build build >> log || { cat log; exit 1; }
      exported=$(nm -D --defined-only --demangle build/libMini.so.1 | sed 's/.* T //' | sort | tr '\n' ' ')
      needed=$(readelf -d build/libMini.so.1 | sed -n 's/.*(NEEDED).*\[\(libhwy.*\)\]/\1/p' | sort | tr '\n' ' ')
      echo "$1, contrib in $2: exports $exported, needs $needed"
      [ "$exported" = "$3" ] && [ "$needed" = "$4" ] || { echo "expected: exports $3, needs $4"; exit 1; }
      passed=$((passed + 1))
    }
    links static whole 'mini() ' ""
    links static contrib 'mini() ' ""
    links shared whole 'mini() shared() ' 'libhwy.so.1 libhwy_contrib.so.1 '
    links shared contrib 'mini() shared() ' 'libhwy.so.1 libhwy_contrib.so.1 '

    printf '[Mini]\nneeds = []\nvendor = ["blas"]\n' > lib/libraries.toml
    mkdir include
    echo 'extern "C" int cblas(), blas(), lapack();' > include/cblas.h
    cat > lib/Mini/src/mini.cpp <<'EOF'
    #include <cblas.h>
    __attribute__((visibility("default"))) int mini() { return cblas() + blas() + lapack(); }
    EOF
    # library FOLDER NAME FUNCTION...: a shared library with these functions
    library() {
      mkdir -p $1/lib
      cp -r include $1
      printf 'int %s(void) { return 1; }\n' "''${@:3}" | gcc -shared -x c - -o $1/lib/lib$2.so -Wl,-soname,lib$2.so.1
    }
    library openblas openblas cblas blas lapack
    for name in cblas blas lapack; do library several $name $name; done
    library both openblas cblas blas lapack
    library both cblas cblas
    library one blas cblas blas lapack
    ln -s libblas.so one/lib/libcblas.so
    ln -s libblas.so one/lib/liblapack.so
    # blas FOLDERS NEEDED
    blas() {
      rm -rf build
      cmake -S lib/Mini -B build -G Ninja -DCMAKE_PREFIX_PATH="$1" > log
      cmake --build build >> log || { cat log; exit 1; }
      needed=$(readelf -d build/libMini.so.1 | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -E 'blas|lapack' |
        sort | tr '\n' ' ')
      echo "BLAS in $1: needs $needed"
      [ "$needed" = "$2" ] || { echo "expected: needs $2"; exit 1; }
      passed=$((passed + 1))
    }
    blas $PWD/openblas 'libopenblas.so.1 '
    blas $PWD/several 'libblas.so.1 libcblas.so.1 liblapack.so.1 '
    blas $PWD/one 'libblas.so.1 '
    blas $PWD/both 'libopenblas.so.1 '
    # The folder that comes first has its say: in a shell, a package before the machine's own.
    blas "$PWD/one;$PWD/openblas" 'libblas.so.1 '
    blas "$PWD/openblas;$PWD/one" 'libopenblas.so.1 '
    echo "$passed passed, 0 failed" > $out/report.txt
  ''
