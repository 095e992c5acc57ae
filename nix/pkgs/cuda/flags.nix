# Capabilities in the spellings of those who ask for them. As in nixpkgs, all that compile for a whole family of
# devices and that a package builds for unless told otherwise.
{ lib, cudaCapabilities ? [ "7.5" "8.0" "8.6" "8.9" "9.0" "10.0" "10.3" "12.0" ], cudaForwardCompat ? true }:
let
  dropDots = lib.replaceStrings [ "." ] [ "" ];
  numbers = map dropDots cudaCapabilities;
  newest = lib.last numbers;
in
{
  inherit cudaCapabilities cudaForwardCompat dropDots;
  realArches = map (number: "sm_${number}") numbers;
  virtualArches = map (number: "compute_${number}") numbers;
  arches = map (number: "sm_${number}") numbers ++ lib.optional cudaForwardCompat "compute_${newest}";
  gencode =
    map (number: "-gencode=arch=compute_${number},code=sm_${number}") numbers
    ++ lib.optional cudaForwardCompat "-gencode=arch=compute_${newest},code=compute_${newest}";
  gencodeString = lib.concatStringsSep " " (
    map (number: "-gencode=arch=compute_${number},code=sm_${number}") numbers
    ++ lib.optional cudaForwardCompat "-gencode=arch=compute_${newest},code=compute_${newest}"
  );
  cmakeCudaArchitecturesString = lib.concatStringsSep ";" numbers;
}
