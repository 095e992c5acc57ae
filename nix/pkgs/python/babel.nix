# Babel. Debian keeps its data outside the module; here they are in it.
{ mkPythonDebPackage, python }:
mkPythonDebPackage {
  deb = "python3-babel";
  postUnpack = ''
    babel=$out/${python.sitePackages}/babel
    rm -f $babel/global.dat $babel/locale-data
    moveInto $out/share/python-babel-localedata $babel
    test -s $babel/global.dat -a -d $babel/locale-data
  '';
  meta.description = "Translations and the world's formats of dates and numbers";
}
