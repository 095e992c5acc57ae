# stdenv: bash, the usual tools, the compiler, and mkDerivation.
{
  system,
  lib,
  runBootstrap,
  glibc,
  bash,
  # null: stdenvNoCC
  cc,
  # Packages in every build's PATH.
  initialPath,
}:
let
  compiler = lib.optionals (cc != null) [
    cc
    cc.bintools
  ];
  compilerPaths = lib.optionals (cc != null) (compiler ++ [ cc.cc ]);

  setup = runBootstrap "stdenv-linux" {
    header = ''
      initialPath="${lib.concatStringsSep " " (compiler ++ initialPath)}"
      compilerPaths="${lib.concatStringsSep " " compilerPaths}"
      defaultShell=${bash}/bin/bash
      loader=${glibc.loader}
      libcFolder=${glibc}/lib
      storeDir=${builtins.storeDir}
    '';
    parts = [
      ../debs/elf.sh
      ./phases.sh
      ./fixup.sh
      ./setup.sh
    ];
  } ''
    mkdir $out
    { printf %s "$header" && cat $parts; } >$out/setup
  '';

  stdenv = setup // {
    inherit cc initialPath;
    mkDerivation = import ./make-derivation.nix { inherit system lib bash stdenv; };
    shell = "${bash}/bin/bash";
    hostPlatform = platform;
    buildPlatform = platform;
    targetPlatform = platform;
    isLinux = true;
    isDarwin = false;
    isx86_64 = true;
  };
  platform = {
    inherit system;
    config = "x86_64-unknown-linux-gnu";
    isLinux = true;
    isDarwin = false;
    isx86_64 = true;
    isAarch64 = false;
    is64bit = true;
    extensions = {
      sharedLibrary = ".so";
      staticLibrary = ".a";
      executable = "";
    };
  };
in
stdenv
