# The Python package. Nothing is compiled here: the libraries, the bindings and the extension modules
# come together in one folder, and every DT_NEEDED between them becomes absolute.
#
# mklDnnSupport: convolutions and products of matrices by oneDNN where that is faster; false makes another THNN.
# distributedSupport: torch.distributed; false leaves out THD and torch._distributed.
# MPISupport: torch.distributed's groups over MPI, too: a module more, which loads MPI when somebody asks for one.
# cudaSupport: the same, and what CUDA adds; the other arguments of that kind are cuda.nix's.
# localVersion: what the version ends in, ".cu130".
{
  lib,
  patchelf,
  python3Packages,
  checks,
  checkedSpecs,
  generated,
  interfaces,
  librariesWith,
  libtorch,
  libtorch_python,
  modules,
  torch_distributed,
  torch_mpi,
  sanitizer,
  source,
  version,
  cudaParts,
  mklDnnSupport,
  distributedSupport,
  MPISupport,
  cudaSupport,
  cudaCapabilities,
  cudnnSupport,
  ncclSupport,
  localVersion,
}:
let
  libraries = lib.filterAttrs (name: _: distributedSupport || !(checkedSpecs.${name}.distributed or false)) (
    librariesWith { inherit mklDnnSupport; }
  );
  cuda = cudaParts (
    lib.optionalAttrs (cudaCapabilities != null) { inherit cudaCapabilities; }
    // lib.optionalAttrs cudnnSupport { inherit cudnnSupport; }
    // lib.optionalAttrs (ncclSupport != null) { inherit ncclSupport; }
  );
  parts =
    lib.attrValues libraries
    ++ [
      libtorch
      libtorch_python
      modules
    ]
    ++ lib.optional distributedSupport torch_distributed
    ++ [
      generated.docs
      generated.pyi
    ]
    ++ lib.optional MPISupport torch_mpi
    ++ lib.optionals cudaSupport (
      lib.attrValues cuda.cudaLibraries
      ++ [
        cuda.libtorch_cuda
        cuda.torch-cuda-modules
      ]
      ++ lib.optional (cuda.cuda.nccl != null) cuda.torch_nccl
    );
in
assert lib.assertMsg (MPISupport -> distributedSupport) "torch: MPISupport needs distributedSupport";
(python3Packages.buildPythonPackage (sanitizer.attributes // {
  pname = "torch";
  version = version + localVersion;
  pyproject = true;
  src = source {
    name = "torch";
    paths = [
      "LICENSE"
      "setup.py"
      "pyproject.toml"
      "version.txt"
      "lib/libraries.toml"
      "torch"
    ]
    # setup.py's own modules; the folders beside them are other programs.
    ++ map (file: "tools/${file}") (
      lib.filter (lib.hasSuffix ".py") (builtins.attrNames (builtins.readDir ../tools))
    );
  };
  unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
  sourceRoot = "source";
  build-system = [
    python3Packages.numpy
    python3Packages.pybind11
    python3Packages.pycparser
    python3Packages.pyyaml
    python3Packages.setuptools
    python3Packages.wheel
  ];
  dependencies = [
    python3Packages.numpy
    python3Packages.typing-extensions
  ];
  nativeBuildInputs = [ patchelf ];

  env = {
    TORCH_PREBUILT = lib.concatMapStringsSep ":" toString parts;
  }
  // lib.optionalAttrs (localVersion != "") { TORCH_BUILD_VERSION = version + localVersion; };

  # The parts have their rpaths. Shrinking them would turn DT_RPATH into DT_RUNPATH, which comes after LD_LIBRARY_PATH.
  dontPatchELF = true;
  postFixup = ''
    source ${./relink.sh}
    package=$out/${python3Packages.python.sitePackages}/torch
    libraries=($package/lib/*.so.1)
    modules=($(find $package -name '*.so' -not -path "$package/lib/*" | sort))
    programs=($package/bin/*)
    chmod u+w "''${libraries[@]}" "''${modules[@]}" "''${programs[@]}"
    absoluteNeeded $package/lib "''${libraries[@]}" "''${modules[@]}" "''${programs[@]}"
  '';

  # Importing is the check; numpy arrives through `dependencies`.
  pythonImportsCheck = lib.optionals (!sanitizer.active) [
    "torch"
    "torch._C"
    "torch._dl"
    "torch._thnn._THNN"
  ];

  # For tests/reproducible and the curious: nix build .#torch.generated.thpp
  passthru = {
    inherit generated interfaces parts;
    # With cudaSupport, what that adds.
    cuda = if cudaSupport then cuda else null;
    # What the libraries were linked from: for a checkout, which compiles what differs (nix/shell.nix).
    objects = lib.concatMap (library: lib.attrValues library.objects) (
      lib.attrValues libraries
      ++ [
        libtorch
        libtorch_python
      ]
      ++ lib.optionals cudaSupport (lib.attrValues cuda.cudaLibraries)
    );
    tests = lib.filterAttrs (name: _: lib.elem name [ "python" "control" "memory" ] || lib.hasSuffix "-unit" name) checks;
  };

  meta = {
    description = "Tensors in layers, built by a pure function";
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
})).overrideAttrs
  (_: {
    # What was only needed to build must not come along. Not among the arguments above: buildPythonPackage has a
    # list of its own, which takes the place of theirs.
    disallowedReferences = lib.optionals (!sanitizer.active) (
      parts ++ lib.attrValues interfaces ++ lib.optionals cudaSupport (lib.attrValues cuda.cudaInterfaces)
    );
  })
