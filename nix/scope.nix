# All our derivations, made from a package set: nixpkgs, or nix/pkgs in its place. Neither is
# mentioned below; whatever is not defined here is looked up in `pkgs` by callPackage.
#
# `edited`: null, or { path; edit; }: evaluate as if the text of the file `path` were `edit text`.
# The rebuild matrix (checks/rebuild.nix) compares derivations under it; nothing is built.
#
# `sanitizer`: null, "address", "undefined" or "thread": what every derivation is compiled with.
#
# `cudaPackages`: the toolkit of what wants CUDA. Not evaluated for anything else.
{
  pkgs,
  edited ? null,
  sanitizer ? null,
  cudaPackages ? pkgs.cudaPackages,
}:
let
  inherit (pkgs) lib;
in
lib.makeScope pkgs.newScope (
  self:
  let
    # callPackage for a file that gives a set of derivations, not one.
    callSet =
      file: arguments:
      removeAttrs (self.callPackage file arguments) [
        "override"
        "overrideDerivation"
      ];
  in
  {
  sanitizer = import ./sanitizer.nix {
    inherit lib pkgs;
    name = sanitizer;
  };
  inherit (self.sanitizer) stdenv;
  version = lib.trim (self.read "version.txt");
  source = import ./source.nix { inherit lib edited; };
  # The text of a file of the repository, for what is computed from it at evaluation.
  read =
    path:
    let
      text = builtins.readFile (../. + "/${path}");
    in
    if edited != null && edited.path == path then edited.edit text else text;

  pocketfft = self.callPackage ./pocketfft.nix { };
  gloo = self.callPackage ./gloo.nix { };
  vendorPackages = callSet ./vendor-packages.nix { };

  # ---- lib/: one entry of libraries.toml each ----------------------------------------------------
  mkPart = self.callPackage ./mk-part.nix { };
  mkModule = self.callPackage ./mk-module.nix { };
  mkInterface = self.callPackage ./mk-interface.nix { };
  objects = self.callPackage ./objects.nix { };
  mkLibrary = self.callPackage ./mk-library.nix { };
  split = lib.mapAttrs (name: self.mkLibrary name) self.checkedSpecs;
  checkedSpecs = import ./check-libraries.nix { inherit lib; } (
    builtins.fromTOML (self.read "lib/libraries.toml")
  );
  # Those that are there without CUDA, and below what CUDA adds.
  libraries = lib.mapAttrs (name: _: self.split.${name}.implementation) self.cpuSpecs;
  interfaces = lib.mapAttrs (name: _: self.split.${name}.interface) self.cpuSpecs;
  # THPP's, and what comes with it: all that those see of the libraries who link it, and no other.
  interfacesOfTHPP = map (name: self.interfaces.${name}) ([ "THPP" ] ++ self.checkedSpecs.THPP.needs);
  # What torch._C may come with: none of them knows torch.distributed.
  coreInterfaces = lib.filterAttrs (name: _: !(self.cpuSpecs.${name}.distributed or false)) self.interfaces;
  # What THNN links besides: `optional` in libraries.toml.
  mklDnnSupport = true;
  cpuSpecs = lib.filterAttrs (_: spec: !(spec.cuda or false)) self.checkedSpecs;

  # ---- CUDA: adds to these, and changes none of them ----------------------------------------------
  inherit cudaPackages;
  cudaOptions = { };
  cuda = callSet ./cuda.nix { };
  cudaLibraries = lib.mapAttrs (name: _: self.split.${name}.implementation) self.cudaSpecs;
  cudaInterfaces = lib.mapAttrs (name: _: self.split.${name}.interface) self.cudaSpecs;
  cudaSpecs = lib.filterAttrs (_: spec: spec.cuda or false) self.checkedSpecs;
  # The parts of a torch with CUDA, made with these options.
  cudaParts =
    options:
    let
      scope = self.withPackages { cudaOptions = self.cudaOptions // options; };
    in
    {
      inherit (scope)
        cuda
        cudaLibraries
        cudaInterfaces
        cudaGenerated
        libtorch_cuda
        torch-cuda-modules
        torch_nccl
        ;
    };
  libtorch_cuda = self.callPackage ./libtorch-cuda.nix { };
  torch-cuda-modules = self.callPackage ./torch-cuda-modules.nix { };
  torch_distributed = self.callPackage ./torch-distributed.nix { };
  torch_mpi = self.callPackage ./torch-mpi.nix { };
  torch_nccl = self.callPackage ./torch-nccl.nix { };
  torch-cuda = self.torch.override { cudaSupport = true; };
  torch-mpi = self.torch.override { MPISupport = true; };
  python-mpi = self.python.override { torch = self.torch-mpi; };
  python-cuda = self.python.override { torch = self.torch-cuda; };
  # The same scope with a toolkit whose kernels run on the host: what CUDA adds, tested without a GPU.
  hostCuda = self.withPackages { cudaPackages = callSet ./host-cuda.nix { }; };

  # ---- codegen/, csrc/, torch/ --------------------------------------------------------------------
  generated = removeAttrs self.allGenerated [
    "cuda"
    "cuda-slots"
    "slots"
  ];
  cudaGenerated = self.allGenerated.cuda;
  # Tables of kernels, for checks alone.
  slotTables = {
    cpu = "${self.allGenerated.slots}/slots-cpu.json";
    cuda = "${self.allGenerated.cuda-slots}/slots-cuda.json";
  };
  allGenerated = callSet ./generated.nix { };
  libtorch = self.callPackage ./libtorch.nix { };
  libtorch-interface = self.callPackage ./libtorch-interface.nix { };
  libtorch_python = self.callPackage ./libtorch-python.nix { };
  libtorch_python-interface = self.callPackage ./libtorch-python-interface.nix { };
  modules = self.callPackage ./modules.nix { };
  torch = self.callPackage ./torch.nix {
    distributedSupport = true;
    MPISupport = false;
    cudaSupport = false;
    cudaCapabilities = null;
    cudnnSupport = false;
    ncclSupport = null;
    localVersion = "";
  };
  # The libraries of a torch with these options; the same ones where none differs.
  librariesWith = options: (self.withPackages options).libraries;
  python = self.callPackage ./python { extraPackages = _: [ ]; };
  library-wheels = self.callPackage ./library-wheels.nix { inherit pkgs; };
  # Beside torch: what is used with it. No default and no shell has it.
  python-with-libraries = self.python.override { extraPackages = _: [ self.library-wheels ]; };
  tests-python = self.callPackage ./tests-python.nix { };
  tests-python-cuda = self.tests-python.override { torch = self.torch-cuda; };
  docs = self.callPackage ./docs.nix { };
  wheel = self.callPackage ./wheel.nix { };
  # As the package index has it: the version says for which CUDA.
  wheel-cuda = self.wheel.override {
    torch = self.torch-cuda.override {
      localVersion = ".cu" + lib.replaceStrings [ "." ] [ "" ] self.cudaPackages.cudaMajorMinorVersion;
    };
  };
  graph = self.callPackage ./graph.nix { };

  # The package set with torch among its Python packages: what a user's extension is built with.
  # Without what a scope has besides its packages: `packages` would hide the flake's output of that name.
  extensionPackages = removeAttrs (pkgs.extend (
    _: previous: { pythonPackagesExtensions = previous.pythonPackagesExtensions ++ [ self.pythonExtension ]; }
  )) [ "packages" ];
  # python3Packages, of whichever interpreter -> the same with torch for it.
  pythonExtension = python3Packages: _: {
    inherit
      (self.withPackages {
        inherit python3Packages;
        python3 = python3Packages.python;
      })
      torch
      ;
  };

  bible = self.callPackage ./bible.nix { };
  digits = self.callPackage ./digits.nix { };
  examples = self.callPackage ./examples.nix { };
  shell = self.callPackage ./shell.nix {
    withTorch = true;
    cudaSupport = false;
  };
  formatter = self.callPackage ./formatter.nix { };
  checks = callSet ./checks.nix {
    scopeWith = edited: import ./scope.nix { inherit pkgs edited cudaPackages; };
    scopeOver = pkgs: import ./scope.nix { inherit pkgs edited cudaPackages; };
  };
  # The same scope with other packages, such as { openblas = …; }.
  withPackages = packages: self.overrideScope (_: _: packages);
  # The same scope under a sanitizer.
  sanitized = sanitizer: import ./scope.nix { inherit pkgs edited sanitizer cudaPackages; };
  }
)
