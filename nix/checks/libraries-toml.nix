# Mistakes in lib/libraries.toml stop the evaluation (check-libraries.nix) before anything is built.
{
  lib,
  runCommand,
  scopeWith,
}:
let
  evaluates =
    edit:
    (builtins.tryEval (
      (scopeWith {
        path = "lib/libraries.toml";
        inherit edit;
      }).libraries.TH.drvPath
    )).success;
  replace = from: to: text: builtins.replaceStrings [ from ] [ to ] text;
  cases = {
    "as it is" = evaluates (text: text);
    "a cycle" = !evaluates (replace "needs = []" ''needs = ["THPP"]'');
    "an unknown library" = !evaluates (replace ''needs = ["TH"]'' ''needs = ["THX"]'');
    "the kit of a library that it does not need" = !evaluates (replace ''kit = "TH"'' ''kit = "THPP"'');
    "an unknown vendor" = !evaluates (replace "libhwy" "libsimd");
    "a vendor that is seen and not linked" = !evaluates (replace "{ blas =" "{ openmpi =");
    "an optional vendor that is not linked" = !evaluates (replace "{ oneDNN = \"mkldnn\"" "{ oneMKL = \"mkldnn\"");
    "an unknown option" = !evaluates (replace "{ oneDNN = \"mkldnn\"" "{ oneDNN = \"mkl\"");
    "a vendor for a family that is not there" = !evaluates (replace ''["linalg"]'' ''["algebra"]'');
    "a toolkit's package for a library without CUDA" = !evaluates (replace ''"openmp", "pocketfft"]'' ''"openmp", "cuda_cudart"]'');
    "a CUDA library for one that has none" = !evaluates (replace ''needs = ["TH", "THNN", "THS"]'' ''needs = ["TH", "THC"]'');
    "headers of a folder that is not there" = !evaluates (replace ''["TH/src/special"]'' ''["TH/src/spatial"]'');
    "a word for what is true or false" = !evaluates (replace "cuda = true" ''cuda = "yes"'');
    "a program without sources" = !evaluates (replace ''generated = "thpp"'' ''program = "thpp"'');
    "an unknown key" = !evaluates (replace "boundary" "bounds");
    "an unknown boundary" = !evaluates (replace ''boundary = "C++"'' ''boundary = "Rust"'');
  };
  failed = lib.attrNames (lib.filterAttrs (_: ok: !ok) cases);
in
if failed != [ ] then
  throw "libraries.toml: wrong verdict on: ${lib.concatStringsSep ", " failed}"
else
  runCommand "libraries-toml" { } ''
    mkdir $out
    echo "${toString (lib.length (lib.attrNames cases))} passed, 0 failed" > $out/report.txt
  ''
