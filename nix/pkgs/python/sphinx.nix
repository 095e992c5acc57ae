# Sphinx. Debian keeps its templates, themes and scripts outside the module; here they are in it.
{
  mkPythonDebPackage,
  python,
  alabaster,
  babel,
  docutils,
  imagesize,
  jinja2,
  packaging,
  pygments,
  requests,
  snowballstemmer,
}:
mkPythonDebPackage {
  deb = "python3-sphinx";
  dependencies = [
    alabaster
    babel
    docutils
    imagesize
    jinja2
    packaging
    pygments
    requests
    snowballstemmer
  ];
  # Links between the two folders of data become files: only one of the folders stays.
  postUnpack = ''
    sphinx=$out/${python.sitePackages}/sphinx
    rm -rf $out/share/sphinx/scripts
    cp -rL $out/share/sphinx/. $sphinx/
    sed -i "s|^package_dir = '/usr/share/sphinx'|package_dir = os.path.dirname(os.path.abspath(__file__))|" $sphinx/__init__.py
    ! grep -q /usr/share/sphinx $sphinx/__init__.py
    test -s $sphinx/themes/basic/static/searchtools.js
  '';
  meta.description = "Makes documentation of sources and texts";
}
