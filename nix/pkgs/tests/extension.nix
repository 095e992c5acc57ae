# A Python extension module with NumPy and OpenBLAS, by buildPythonPackage.
{
  python3Packages,
  openblas,
}:
python3Packages.buildPythonPackage {
  pname = "witness";
  version = "1.0";
  pyproject = true;
  src = ./extension;
  build-system = [
    python3Packages.setuptools
    python3Packages.wheel
  ];
  dependencies = [ python3Packages.numpy ];
  buildInputs = [ openblas ];
  pythonImportsCheck = [
    "witness"
    "witness._native"
  ];
}
