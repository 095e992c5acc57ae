# buildPythonPackage: a pyproject (PEP 517) package, built into a wheel and installed from it.
#
#   buildPythonPackage {
#     pname = "torch"; version = "1.0"; src = …;
#     pyproject = true;
#     build-system = [ setuptools ];      # what pyproject.toml requires
#     dependencies = [ numpy ];           # what the package imports
#     pythonImportsCheck = [ "torch" ];
#   }
{
  lib,
  stdenv,
  python,
  build,
  installer,
  pythonBuildHook,
}:
let
  buildPythonPackage =
    {
      pname,
      version,
      pyproject ? false,
      build-system ? [ ],
      dependencies ? [ ],
      nativeBuildInputs ? [ ],
      propagatedBuildInputs ? [ ],
      nativeCheckInputs ? [ ],
      pythonImportsCheck ? [ ],
      doCheck ? true,
      passthru ? { },
      ...
    }@attrs:
    let
      requiredPythonModules = dependencies ++ propagatedBuildInputs;
    in
    assert lib.assertMsg pyproject "buildPythonPackage: ${pname}: set pyproject = true; nothing else is supported";
    stdenv.mkDerivation (
      removeAttrs attrs [
        "pyproject"
        "build-system"
        "dependencies"
        "checkPhase"
      ]
      // {
        name = "${python.libPrefix}-${pname}-${version}";
        nativeBuildInputs = [
          python
          build
          installer
          pythonBuildHook
        ]
        ++ build-system
        ++ nativeBuildInputs
        ++ lib.optionals doCheck nativeCheckInputs;
        propagatedBuildInputs = requiredPythonModules;
        nativeCheckInputs = [ ];
        inherit pythonImportsCheck;
        # nixpkgs has a list of its own here, empty unless it builds for another platform. What a package forbids,
        # it forbids by overrideAttrs.
        disallowedReferences = [ ];
        # As in nixpkgs: tests run against what was installed.
        doCheck = false;
        doInstallCheck = attrs.doInstallCheck or doCheck;
        ${if attrs ? checkPhase then "installCheckPhase" else null} = attrs.checkPhase;
        passthru = {
          pythonModule = python;
          inherit requiredPythonModules;
        }
        // passthru;
      }
    );
in
attrs: buildPythonPackage (if builtins.isFunction attrs then lib.fix attrs else attrs)
