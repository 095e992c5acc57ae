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
  alabaster = self.mkPythonDebPackage { deb = "python3-alabaster"; };
  array-api-compat = self.mkPythonWheelPackage {
    wheel = "array-api-compat";
    pythonImportsCheck = [ "array_api_compat" ];
    meta.description = "The array API standard over array libraries";
  };
  attrs = self.mkPythonDebPackage { deb = "python3-attr"; };
  auditwheel = self.callPackage ./auditwheel.nix { };
  autocommand = self.mkPythonDebPackage { deb = "python3-autocommand"; };
  babel = self.callPackage ./babel.nix { };
  beautifulsoup4 = self.mkPythonDebPackage {
    deb = "python3-bs4";
    dependencies = [
      self.soupsieve
      self.typing-extensions
    ];
  };
  build = self.mkPythonDebPackage {
    deb = "python3-build";
    dependencies = [
      self.packaging
      self.pyproject-hooks
    ];
  };
  certifi = self.callPackage ./certifi.nix { };
  charset-normalizer = self.mkPythonDebPackage { deb = "python3-charset-normalizer"; };
  contourpy = self.mkPythonDebPackage {
    deb = "python3-contourpy";
    dependencies = [ self.numpy ];
  };
  cycler = self.mkPythonDebPackage { deb = "python3-cycler"; };
  docutils = self.callPackage ./docutils.nix { };
  einops = self.mkPythonDebPackage { deb = "python3-einops"; };
  execnet = self.mkPythonDebPackage { deb = "python3-execnet"; };
  fonttools = self.mkPythonDebPackage { deb = "python3-fonttools"; };
  furo = self.mkPythonDebPackage {
    deb = "furo";
    dependencies = [
      self.beautifulsoup4
      self.pygments
      self.sphinx
      self.sphinx-basic-ng
    ];
  };
  hypothesis = self.mkPythonDebPackage {
    deb = "python3-hypothesis";
    dependencies = [
      self.attrs
      self.sortedcontainers
    ];
  };
  idna = self.mkPythonDebPackage { deb = "python3-idna"; };
  imagesize = self.mkPythonDebPackage { deb = "python3-imagesize"; };
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
  jinja2 = self.mkPythonDebPackage {
    deb = "python3-jinja2";
    dependencies = [
      self.markupsafe
    ];
  };
  kiwisolver = self.mkPythonDebPackage { deb = "python3-kiwisolver"; };
  linkify-it-py = self.mkPythonDebPackage {
    deb = "python3-linkify-it";
    dependencies = [
      self.uc-micro-py
    ];
  };
  markdown-it-py = self.mkPythonDebPackage {
    deb = "python3-markdown-it";
    dependencies = [
      self.linkify-it-py
      self.mdurl
    ];
  };
  markupsafe = self.mkPythonDebPackage { deb = "python3-markupsafe"; };
  matplotlib = self.callPackage ./matplotlib.nix { };
  mdit-py-plugins = self.mkPythonDebPackage {
    deb = "python3-mdit-py-plugins";
    dependencies = [
      self.markdown-it-py
    ];
  };
  mdurl = self.mkPythonDebPackage { deb = "python3-mdurl"; };
  mistune = self.mkPythonDebPackage { deb = "python3-mistune"; };
  mypy = self.mkPythonDebPackage {
    deb = "python3-mypy";
    dependencies = [
      self.mypy-extensions
      self.psutil
      self.typing-extensions
    ];
    meta.description = "Checks annotated types";
  };
  mypy-extensions = self.mkPythonDebPackage { deb = "python3-mypy-extensions"; };
  more-itertools = self.mkPythonDebPackage { deb = "python3-more-itertools"; };
  myst-parser = self.mkPythonDebPackage {
    deb = "python3-myst-parser";
    dependencies = [
      self.docutils
      self.jinja2
      self.markdown-it-py
      self.mdit-py-plugins
      self.pyyaml
      self.sphinx
    ];
  };
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
  psutil = self.mkPythonDebPackage { deb = "python3-psutil"; };
  pyelftools = self.mkPythonDebPackage { deb = "python3-pyelftools"; };
  pygments = self.mkPythonDebPackage { deb = "python3-pygments"; };
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
  requests = self.mkPythonDebPackage {
    deb = "python3-requests";
    dependencies = [
      self.certifi
      self.charset-normalizer
      self.idna
      self.urllib3
    ];
  };
  roman = self.mkPythonDebPackage { deb = "python3-roman"; };
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
  snowballstemmer = self.mkPythonDebPackage { deb = "python3-snowballstemmer"; };
  sortedcontainers = self.mkPythonDebPackage { deb = "python3-sortedcontainers"; };
  soupsieve = self.mkPythonDebPackage { deb = "python3-soupsieve"; };
  sphinx = self.callPackage ./sphinx.nix { };
  sphinx-basic-ng = self.mkPythonDebPackage {
    deb = "sphinx-basic-ng";
    dependencies = [
      self.sphinx
    ];
  };
  torchvision = self.callPackage ./torchvision.nix { };
  tqdm = self.mkPythonDebPackage { deb = "python3-tqdm"; };
  typing-extensions = self.mkPythonDebPackage { deb = "python3-typing-extensions"; };
  uc-micro-py = self.mkPythonDebPackage { deb = "python3-uc-micro"; };
  urllib3 = self.mkPythonDebPackage { deb = "python3-urllib3"; };
  wheel = self.mkPythonDebPackage {
    deb = "python3-wheel";
    dependencies = [ self.packaging ];
  };
}))
