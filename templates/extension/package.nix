# The extension as a Python package.
{
  buildPythonPackage,
  ninja,
  pytestCheckHook,
  setuptools,
  torch,
}:
buildPythonPackage {
  pname = "swish";
  version = "0.1.0";
  pyproject = true;
  src = ./.;
  build-system = [
    setuptools
    torch
  ];
  dependencies = [ torch ];

  # BuildExtension starts ninja; the phases of the build stay Python's.
  nativeBuildInputs = [ ninja ];
  dontUseNinjaBuild = true;
  dontUseNinjaCheck = true;
  dontUseNinjaInstall = true;

  # nixpkgs would turn DT_RPATH, which no LD_LIBRARY_PATH overrules, into DT_RUNPATH.
  dontPatchELF = true;

  nativeCheckInputs = [ pytestCheckHook ];
  pythonImportsCheck = [ "swish" ];
}
