# pybind11: a header library, with its CMake package and pkg-config file. They are in the Python
# package, and links to them where a compiler and CMake look.
{ mkPythonDebPackage, python }:
mkPythonDebPackage {
  deb = "python3-pybind11";
  postFixup = "ln -s $out/${python.sitePackages}/pybind11/include $out/${python.sitePackages}/pybind11/share $out/";
  meta = {
    description = "C++ bindings of Python";
    mainProgram = "pybind11-config";
  };
}
