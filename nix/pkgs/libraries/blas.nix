# BLAS and LAPACK by their standard names: OpenBLAS with the reference's 32-bit integers, and the reference's header.
# NumPy links it, and so does whoever wants to share it. OpenBLAS has LAPACK in it, so it is one library, under a soname
# of its own: a process may have libopenblas.so.0 with 64-bit integers, too, and neither is taken for the other.
{
  fetchDebFile,
  mkDebPackage,
  openblasCompat,
}:
let
  header =
    name:
    fetchDebFile {
      deb = "libblas-dev";
      file = "./usr/include/x86_64-linux-gnu/${name}.h";
    };
in
mkDebPackage {
  pname = "blas";
  postUnpack = ''
    mv $out/lib/openblas-openmp/libopenblasp-r*.so $out/lib/libblas.so.3
    rm -r $out/lib/openblas-openmp
    patchelf --set-soname libblas.so.3 $out/lib/libblas.so.3
    for name in libblas.so libcblas.so libcblas.so.3 liblapack.so liblapack.so.3; do
      ln -s libblas.so.3 $out/lib/$name
    done
    mkdir $out/include
    cp ${header "cblas-netlib"} $out/include/cblas.h
    cp ${header "cblas_mangling"} $out/include/cblas_mangling.h
  '';
  passthru = {
    isILP64 = false;
    implementation = "openblas";
    provider = openblasCompat;
  };
  meta.description = "Basic linear algebra by its standard names";
}
