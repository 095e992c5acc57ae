# OpenBLAS, threads by OpenMP: one OpenMP runtime for everything in a process.
# Also libblas.so.3 and liblapack.so.3, which numpy links.
{ mkDebPackage }:
mkDebPackage {
  pname = "openblas";
  postUnpack = ''
    moveInto $out/lib/openblas-openmp $out/lib
    moveInto $out/include/openblas-openmp $out/include
    # 60 MB that nobody links
    rm $out/lib/*.a
    sed -i 's,/openblas-openmp,,g' $out/lib/pkgconfig/*.pc $out/lib/cmake/openblas/*.cmake
  '';
  meta.description = "Basic linear algebra, optimised";
}
