# docutils. Debian keeps its style sheets outside the module; here they are in it.
{
  mkPythonDebPackage,
  python,
  roman,
}:
mkPythonDebPackage {
  deb = "python3-docutils";
  dependencies = [ roman ];
  postUnpack = ''
    docutils=$out/${python.sitePackages}/docutils
    moveInto $out/share/docutils $docutils
    sed -i "s|'/usr/share/docutils/'|os.path.dirname(__file__)|" $docutils/__init__.py
    ! grep -q /usr/share/docutils $docutils/__init__.py
  '';
  meta.description = "Text with markup, read and written";
}
