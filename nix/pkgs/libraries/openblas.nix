# OpenBLAS, threads by OpenMP: one OpenMP runtime for everything in a process. Its integers are as long as a
# pointer, as in nixpkgs on this platform; `openblas.override { blas64 = false; }` has those of the reference.
{
  lib,
  mkDebPackage,
  blas64 ? true,
}:
let
  suffix = lib.optionalString blas64 "64";
in
mkDebPackage {
  pname = "openblas";
  debs = [
    "libopenblas${if blas64 then "64-" else ""}0-openmp"
    "libopenblas${suffix}-openmp-dev"
  ];
  postUnpack = ''
    moveInto $out/lib/openblas${suffix}-openmp $out/lib
    moveInto $out/include/openblas${suffix}-openmp $out/include
    # 60 MB that nobody links; and BLAS and LAPACK each by itself, which is ./blas.nix
    rm -rf $out/lib/cmake/openblas64 $out/lib/*.a $out/lib/libblas* $out/lib/liblapack* $out/lib/pkgconfig/*-openblas.pc

    # Debian installs both widths in one folder. Here a package has one, under the library's own name.
    library=$(echo $out/lib/libopenblas${suffix}p-r*.so)
    rm $out/lib/libopenblas${suffix}.so*
    mv $library $out/lib/libopenblas.so.0
    ln -s libopenblas.so.0 $out/lib/libopenblas.so
    patchelf --set-soname libopenblas.so.0 $out/lib/libopenblas.so.0
    sed -i 's,openblas${suffix}_config.h,openblas_config.h,' $out/include/*.h
    sed -i -e 's,/openblas${suffix}-openmp,,g' -e 's,openblas${suffix}\>,openblas,g' -e 's,^libsuffix=.*,libsuffix=,' \
      $out/lib/pkgconfig/*.pc $out/lib/cmake/openblas/*.cmake
    [ -e $out/lib/pkgconfig/openblas.pc ] || mv $out/lib/pkgconfig/openblas${suffix}.pc $out/lib/pkgconfig/openblas.pc
  '';
  passthru = { inherit blas64; };
  meta.description = "Basic linear algebra, optimised";
}
