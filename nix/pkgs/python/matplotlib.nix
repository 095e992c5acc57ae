# Matplotlib. Debian keeps its settings, data and fonts outside the module; here they are in it.
{
  mkPythonDebPackage,
  python,
  contourpy,
  cycler,
  fonttools,
  kiwisolver,
  numpy,
  packaging,
  pillow,
  pyparsing,
  python-dateutil,
}:
mkPythonDebPackage {
  deb = "python3-matplotlib";
  dependencies = [
    contourpy
    cycler
    fonttools
    kiwisolver
    numpy
    packaging
    pillow
    pyparsing
    python-dateutil
  ];
  # Without its tests, and without the back end for web browsers, whose scripts are other debs.
  postUnpack = ''
    data=$out/${python.sitePackages}/matplotlib/mpl-data
    moveInto $out/share/matplotlib/mpl-data $data
    cp $out/share/matplotlib/matplotlib.conf/matplotlibrc $data/
    mkdir -p $data/fonts/ttf
    find $out/share/fonts -name '*.ttf' -exec cp {} $data/fonts/ttf/ \;
    rm -rf $(find $out/${python.sitePackages} -type d -name tests) $data/../backends/web_backend/jquery
  '';
  meta.description = "Pictures of curves";
}
