# The package as a wheel for other machines: `pip install result/*.whl`, nothing else needed.
#
# Made of the installed package, not built anew: what has been tested is what is published. tools/wheel
# brings in the vendors' libraries and takes every trace of the store away. NVIDIA's it leaves out: pip brings them, of
# the versions that torch was linked with.
{
  lib,
  runCommand,
  patchelf,
  pocketfft,
  python3,
  source,
  torch,
  cudaPackages,
}:
let
  # Nothing of NVIDIA's is looked at where CUDA is off.
  beside = lib.concatLists (
    lib.mapAttrsToList (
      name: row:
      map (
        library: "--beside '${row.wheel}==${lib.versions.majorMinor cudaPackages.${name}.version}.*' ${row.folder}/lib ${library}"
      ) row.libraries
    ) (lib.optionalAttrs (torch.cuda != null) (lib.filterAttrs (name: _: cudaPackages ? ${name}) (import ./pkgs/cuda/wheels.nix)))
  );
  src = source {
    name = "wheel-tool";
    paths = [ "tools/wheel" ];
  };
in
runCommand "torch-wheel-${torch.version}"
  {
    nativeBuildInputs = [
      patchelf
      python3
    ];
    # A wheel is compressed, so this says nothing about its insides (the tool looks there itself); it
    # says that nothing else was left in the output.
    allowedReferences = [ ];
    passthru = { inherit torch beside; };
    meta = {
      description = "A wheel of torch for x86-64 Linux";
      license = lib.licenses.bsd3;
      platforms = [ "x86_64-linux" ];
    };
  }
  ''
    cd ${src}
    PYTHONDONTWRITEBYTECODE=1 python3 -m tools.wheel ${torch}/${python3.sitePackages} \
      --store ${builtins.storeDir} --notice ${pocketfft}/share/doc/pocketfft/LICENSE ${toString beside} --out $out
  ''
