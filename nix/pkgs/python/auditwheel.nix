# auditwheel, from its wheel. `auditwheel repair` also wants patchelf in PATH.
{
  mkPythonWheelPackage,
  packaging,
  pyelftools,
}:
mkPythonWheelPackage {
  wheel = "auditwheel";
  dependencies = [
    packaging
    pyelftools
  ];
  pythonImportsCheck = [ "auditwheel" ];
  meta = {
    description = "Says on which systems a wheel will run";
    mainProgram = "auditwheel";
  };
}
