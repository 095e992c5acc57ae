# pybind11: a header library, with its CMake package and pkg-config file. They are in the Python
# package, and links to them where a compiler and CMake look.
{ mkPythonDebPackage, python }:
mkPythonDebPackage {
  deb = "python3-pybind11";
  postFixup = "for folder in include share; do ln -s $out/${python.sitePackages}/pybind11/$folder $out/; done";
  meta = {
    description = "C++ bindings of Python";
    mainProgram = "pybind11-config";
  };
}
