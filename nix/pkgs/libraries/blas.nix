# BLAS and LAPACK as NumPy links them: OpenBLAS with the reference's 32-bit integers, under sonames of their own.
# So a process may have libopenblas.so.0 with 64-bit integers, too, and neither is taken for the other.
{ mkDebPackage }:
mkDebPackage {
  pname = "blas";
  postUnpack = ''
    moveInto $out/lib/openblas-openmp $out/lib
    rm $out/lib/libopenblas.so*
    mv $out/lib/libopenblasp-r*.so $out/lib/libblas.so.3
    patchelf --set-soname libblas.so.3 $out/lib/libblas.so.3
    patchelf --replace-needed libopenblas.so.0 libblas.so.3 $out/lib/liblapack.so.3
  '';
  passthru.isILP64 = false;
  meta.description = "Basic linear algebra by its standard names";
}
