# mkPart { manifest; folder; paths; description; ... } -> the derivation of what a CMakeLists.txt of the repository
# compiles. Its source is exactly `paths`; CMake runs in `folder`; what it was built from stands in $out under the
# name `manifest` (manifest.sh). Further attributes are stdenv.mkDerivation's.
{
  lib,
  stdenv,
  cmake,
  ninja,
  patchelf,
  source,
  version,
}:
{
  manifest,
  folder,
  paths,
  description,
  nativeBuildInputs ? [ ],
  postPatch ? "",
  postFixup ? "",
  ...
}@attributes:
stdenv.mkDerivation (
  removeAttrs attributes [
    "manifest"
    "folder"
    "paths"
    "description"
  ]
  // {
    inherit version;
    src = source {
      name = attributes.pname;
      inherit paths;
    };
    # The name of the unpacked folder does not depend on `edited`.
    unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
    sourceRoot = "source";
    postPatch = ''
      source ${./manifest.sh}
      writeManifest ${manifest} ${toString paths}
      ${postPatch}
      cd ${folder}
    '';
    nativeBuildInputs = [
      cmake
      ninja
      patchelf
    ]
    ++ nativeBuildInputs;
    postInstall = "installManifest";
    postFixup = ''
      source ${./relink.sh}
      ${postFixup}
    '';
    meta = {
      inherit description;
      license = lib.licenses.bsd3;
      platforms = [ "x86_64-linux" ];
    };
  }
)
