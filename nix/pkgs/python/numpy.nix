# NumPy, on ../libraries/blas.nix.
{ mkPythonDebPackage, python }:
mkPythonDebPackage {
  deb = "python3-numpy";
  # Debian keeps headers and archives beside the package and links to them; here they are in it.
  # Without its tests, save the one module that numpy.testing imports.
  postUnpack = ''
    site=$out/${python.sitePackages}
    mv $site/numpy/_core/tests/_natype.py $TMPDIR
    for link in $(find $site -type l); do
      rm $link
      mv $out/lib/python3-numpy/''${link#$site/} $link
    done
    rm -rf $(find $out -type d -name tests) $out/bin $out/lib/python3-numpy $out/lib/pkgconfig $out/include
    mkdir $site/numpy/_core/tests
    mv $TMPDIR/_natype.py $site/numpy/_core/tests/
  '';
  meta.description = "Arrays of numbers";
}
