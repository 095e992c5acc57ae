# auditwheel, from its wheel. `auditwheel repair` also wants patchelf in PATH.
{
  buildPythonPackage,
  fetchWheel,
  packaging,
  pyelftools,
}:
let
  src = fetchWheel "auditwheel";
in
buildPythonPackage {
  pname = "auditwheel";
  inherit (src) version;
  inherit src;
  pyproject = true;
  # It is built.
  dontUnpack = true;
  buildPhase = "mkdir dist && cp $src dist/${src.name}";
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
