# Extensions by users, built and run: by setuptools, at run time (load, load_inline), by CMake, and the
# flake template, whose flake.nix is evaluated here with this torch as its input.
{
  runCommandCC,
  bash,
  cmake,
  ninja,
  python3,
  source,
  torch,
  extensionPackages,
  stdenv,
}:
let
  inherit (stdenv.hostPlatform) system;
  python = python3.withPackages (ps: [
    torch
    ps.numpy
    ps.pip
    ps.pytest
    ps.pytest-xdist
    ps.setuptools
    ps.wheel
  ]);
  flake = import ../../templates/extension/flake.nix;
  outputs = flake.outputs {
    self = outputs;
    torch.legacyPackages.${system} = extensionPackages;
  };
  src = source {
    name = "extension-tests";
    paths = [
      "docs/extending.md"
      "templates/extension"
      "tests/extension"
    ];
  };
in
assert flake.inputs.torch.url == "flake:torch"; # what the template's README says how to provide
runCommandCC "torch-extension-tests"
  {
    nativeBuildInputs = [
      cmake
      ninja
      python
    ];
    TORCH_TEMPLATE_PYTHON = "${python3.withPackages (_: [ outputs.packages.${system}.default ])}/bin/python";
    # The shell of the template, as a list of its inputs: it is made, not entered.
    inherit (outputs.devShells.${system}) default;
  }
  ''
    cp -r --no-preserve=mode ${src} source && cd source
    mkdir $out
    export OMP_NUM_THREADS=2 HOME=$NIX_BUILD_TOP
    # A compiler that does not optimise takes half of the time. One that does has made the template's package.
    for variable in CC CXX; do
      printf '#!%s\nexec %s "$@" -O0 -g0\n' ${bash}/bin/bash "$(type -P "''${!variable}")" > unoptimised-$variable
      chmod +x unoptimised-$variable
      export $variable="$PWD/unoptimised-$variable"
    done
    python -m pytest -q -p no:cacheprovider --durations=5 -n $NIX_BUILD_CORES tests/extension 2>&1 | tee $out/report.txt
  ''
