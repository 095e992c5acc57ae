# The Python package: compiles the small extension modules and composes everything else.
# torch/lib holds copies of all libraries; every DT_NEEDED between them becomes absolute.
{
  lib,
  patchelf,
  python3Packages,
  generated,
  interfaces,
  libraries,
  libtorch_python,
  source,
  version,
}:
let
  parts = lib.attrValues libraries ++ [ libtorch_python ];
in
python3Packages.buildPythonPackage {
  pname = "torch";
  inherit version;
  pyproject = true;
  src = source {
    name = "torch";
    paths = [
      "setup.py"
      "pyproject.toml"
      "version.txt"
      "csrc/stub.c"
      "csrc/dl.c"
      "torch"
    ];
  };
  unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
  sourceRoot = "source";
  build-system = [
    python3Packages.setuptools
    python3Packages.wheel
  ];
  dependencies = [ python3Packages.numpy ];
  nativeBuildInputs = [ patchelf ];

  preBuild = ''
    export TORCH_LIB_DIR=$NIX_BUILD_TOP/prefix TORCH_GENERATED=$NIX_BUILD_TOP/generated
    mkdir -p $TORCH_LIB_DIR $TORCH_GENERATED
    for part in ${toString parts}; do cp -r --no-preserve=mode $part/. $TORCH_LIB_DIR/; done
    for part in ${generated.nn} ${generated.docs}; do cp -r --no-preserve=mode $part/. $TORCH_GENERATED/; done
  '';

  postFixup = ''
    source ${./relink.sh}
    package=$out/${python3Packages.python.sitePackages}/torch
    libraries=($package/lib/*.so.1)
    modules=($(find $package -name '*.so' -not -path "$package/lib/*" | sort))
    for module in "''${modules[@]}"; do
      [ "''${module%/*}" = $package ] && origin='$ORIGIN/lib' || origin='$ORIGIN/../lib'
      rpathFrom "$origin" -- "$module"
    done
    absoluteNeeded $package/lib "''${libraries[@]}" "''${modules[@]}"
  '';

  # What was only needed to build must not come along.
  disallowedReferences = parts ++ lib.attrValues interfaces;

  # Importing is the check; numpy arrives through `dependencies`.
  pythonImportsCheck = [
    "torch"
    "torch._C"
    "torch._dl"
    "torch._thnn._THNN"
  ];

  # For tests/reproducible and the curious: nix build .#torch.generated.thpp
  passthru = { inherit generated interfaces; };

  meta = {
    description = "Tensors in layers, built by a pure function";
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
}
