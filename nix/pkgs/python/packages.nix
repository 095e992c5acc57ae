# python3Packages: Debian's pure and compiled modules under nixpkgs' names, and buildPythonPackage.
{
  lib,
  newScope,
  makeSetupHook,
  pythonPackagesExtensions,
  python,
}:
let
  extended = lib.extends (lib.composeManyExtensions pythonPackagesExtensions);
in
lib.makeScope newScope (extended (self: {
  inherit python;
  inherit (self) callPackage newScope;
  pythonPackages = self;

  buildPythonPackage = lib.makeOverridable (self.callPackage ./build-python-package.nix { });
  buildPythonApplication = self.buildPythonPackage;
  pythonBuildHook = makeSetupHook { name = "python-build-hook"; } ./build-hook.sh;
  pytestCheckHook = makeSetupHook {
    name = "pytest-check-hook";
    propagatedBuildInputs = [ self.pytest ];
  } ./pytest-check-hook.sh;
  mkPythonDebPackage = self.callPackage ./make-deb-package.nix { };
  mkPythonWheelPackage = self.callPackage ./make-wheel-package.nix { };
  # toPythonModule drv -> the derivation as something that withPackages takes
  toPythonModule =
    drv:
    drv
    // {
      pythonModule = python;
      requiredPythonModules = drv.requiredPythonModules or [ ];
    };
  toPythonApplication = self.callPackage ./to-application.nix { };
  hasPythonModule = drv: drv ? pythonModule;

  # ---- Debian's (array-api-compat, auditwheel: from their wheels), with what each imports -------
  array-api-compat = self.mkPythonWheelPackage {
    wheel = "array-api-compat";
    pythonImportsCheck = [ "array_api_compat" ];
    meta.description = "The array API standard over array libraries";
  };
  attrs = self.mkPythonDebPackage { deb = "python3-attr"; };
  auditwheel = self.callPackage ./auditwheel.nix { };
  autocommand = self.mkPythonDebPackage { deb = "python3-autocommand"; };
  build = self.mkPythonDebPackage {
    deb = "python3-build";
    dependencies = [
      self.packaging
      self.pyproject-hooks
    ];
  };
  contourpy = self.mkPythonDebPackage {
    deb = "python3-contourpy";
    dependencies = [ self.numpy ];
  };
  cycler = self.mkPythonDebPackage { deb = "python3-cycler"; };
  einops = self.mkPythonDebPackage { deb = "python3-einops"; };
  execnet = self.mkPythonDebPackage { deb = "python3-execnet"; };
  fonttools = self.mkPythonDebPackage { deb = "python3-fonttools"; };
  hypothesis = self.mkPythonDebPackage {
    deb = "python3-hypothesis";
    dependencies = [
      self.attrs
      self.sortedcontainers
    ];
  };
  iniconfig = self.mkPythonDebPackage { deb = "python3-iniconfig"; };
  installer = self.mkPythonDebPackage { deb = "python3-installer"; };
  jaraco-context = self.mkPythonDebPackage { deb = "python3-jaraco.context"; };
  jaraco-functools = self.mkPythonDebPackage {
    deb = "python3-jaraco.functools";
    dependencies = [ self.more-itertools ];
  };
  jaraco-text = self.mkPythonDebPackage {
    deb = "python3-jaraco.text";
    dependencies = [
      self.autocommand
      self.jaraco-context
      self.jaraco-functools
      self.more-itertools
    ];
  };
  kiwisolver = self.mkPythonDebPackage { deb = "python3-kiwisolver"; };
  matplotlib = self.callPackage ./matplotlib.nix { };
  mistune = self.mkPythonDebPackage { deb = "python3-mistune"; };
  more-itertools = self.mkPythonDebPackage { deb = "python3-more-itertools"; };
  numpy = self.callPackage ./numpy.nix { };
  opt-einsum = self.mkPythonDebPackage { deb = "python3-opt-einsum"; };
  packaging = self.mkPythonDebPackage { deb = "python3-packaging"; };
  pillow = self.mkPythonDebPackage { deb = "python3-pil"; };
  pip = self.callPackage ./pip.nix { };
  pluggy = self.mkPythonDebPackage { deb = "python3-pluggy"; };
  ply = self.mkPythonDebPackage { deb = "python3-ply"; };
  pybind11 = self.callPackage ./pybind11.nix { };
  pycparser = self.mkPythonDebPackage {
    deb = "python3-pycparser";
    dependencies = [ self.ply ];
  };
  pyelftools = self.mkPythonDebPackage { deb = "python3-pyelftools"; };
  pyparsing = self.mkPythonDebPackage { deb = "python3-pyparsing"; };
  pyproject-hooks = self.mkPythonDebPackage { deb = "python3-pyproject-hooks"; };
  pytest = self.mkPythonDebPackage {
    deb = "python3-pytest";
    dependencies = [
      self.iniconfig
      self.packaging
      self.pluggy
    ];
  };
  pytest-xdist = self.mkPythonDebPackage {
    deb = "python3-pytest-xdist";
    dependencies = [
      self.execnet
      self.pytest
    ];
  };
  python-dateutil = self.mkPythonDebPackage { deb = "python3-dateutil"; };
  pyyaml = self.mkPythonDebPackage { deb = "python3-yaml"; };
  scikit-learn = self.callPackage ./scikit-learn-data.nix { };
  setuptools = self.mkPythonDebPackage {
    deb = "python3-setuptools";
    dependencies = [
      self.jaraco-context
      self.jaraco-functools
      self.jaraco-text
      self.more-itertools
      self.packaging
      self.wheel
    ];
  };
  sortedcontainers = self.mkPythonDebPackage { deb = "python3-sortedcontainers"; };
  torchvision = self.callPackage ./torchvision.nix { };
  tqdm = self.mkPythonDebPackage { deb = "python3-tqdm"; };
  typing-extensions = self.mkPythonDebPackage { deb = "python3-typing-extensions"; };
  wheel = self.mkPythonDebPackage {
    deb = "python3-wheel";
    dependencies = [ self.packaging ];
  };
}))
