# lib/<name>/tests, compiled against the real libraries and run by ctest. Derivations of their own:
# an edit in a test rebuilds no library.
{
  lib,
  stdenv,
  cmake,
  ninja,
  gtest,
  sanitizer,
  source,
  version,
  split,
  checkedSpecs,
  cuda,
  name,
  # The same library, made otherwise, such as with another BLAS: the tests are compiled once, and run with each.
  others,
}:
let
  # The library and all it needs, real ones: a test runs what it links.
  closure = names: lib.unique (names ++ lib.concatMap (n: closure checkedSpecs.${n}.needs) names);
  isCuda = checkedSpecs.${name}.cuda or false;
  parts = map (n: split.${n}.implementation) (closure [ name ]);
in
stdenv.mkDerivation {
  pname = "${name}-tests";
  inherit version;
  src = source {
    name = "${name}-tests";
    paths = [
      "lib/${name}/tests"
      "lib/${name}/src" # tests of internals include its headers
      "lib/TH/tests/tensors.hpp" # made for all libraries' tests
      "lib/TH/tests/apart.hpp"
    ]
    ++ lib.optionals isCuda [
      "lib/cmake/TorchCuda.cmake"
      "lib/THC/tests/compare.hpp"
      "lib/THS/tests/sparse.hpp" # THCS's include it
    ];
  };
  sourceRoot = "source/lib/${name}/tests";
  unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
  nativeBuildInputs = [
    cmake
    ninja
  ]
  ++ lib.optional isCuda cuda.nvcc;
  buildInputs = [ gtest ] ++ lib.optionals isCuda cuda.vendorPackages.cuda_cudart;
  cmakeFlags = lib.optional isCuda "-DTORCH_CUDA_ARCH_LIST=${cuda.architectures}";
  # One prefix, since the libraries find each other by $ORIGIN.
  preConfigure = ''
    prefix=$NIX_BUILD_TOP/prefix
    mkdir -p $prefix
    for part in ${toString parts}; do cp -r --no-preserve=mode $part/. $prefix/; done
    if [ -d $prefix/bin ]; then chmod +x $prefix/bin/*; fi
    cmakeFlags+=" -DCMAKE_PREFIX_PATH=$prefix -DCMAKE_BUILD_RPATH=$prefix/lib"
    # What the libraries need in their turn (OpenBLAS, gloo's OpenSSL …) the loader finds by their rpaths.
    export NIX_LDFLAGS+=" --unresolved-symbols=ignore-in-shared-libs"
  '';
  doCheck = true;
  checkPhase = ''
    runHook preCheck
    ${sanitizer.exports}ctest --output-on-failure -j$NIX_BUILD_CORES | tee report.txt
    for other in ${toString others}; do
      echo "== $other" >> report.txt
      cp --remove-destination $other/lib/lib${name}.so.1 $prefix/lib/
      ctest --output-on-failure --no-tests=error -R '^${name}$' | tee -a report.txt
    done
    runHook postCheck
  '';
  installPhase = "install -Dm644 report.txt $out/report.txt";
  dontFixup = true;
}
