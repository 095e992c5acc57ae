# Every program starts, by itself, in an empty environment.
{
  lib,
  runCommand,
  stdenv,
  auditwheel,
  ccache,
  clang-tools,
  cmake,
  gdb,
  ninja,
  nodejs,
  patchelf,
  pkg-config,
  pyright,
  python3,
  ruff,
  shellcheck,
}:
let
  programs =
    lib.genAttrs [
      "ar"
      "as"
      "c++filt"
      "g++"
      "gcc"
      "ld"
      "nm"
      "objcopy"
      "objdump"
      "ranlib"
      "readelf"
      "strings"
      "strip"
    ] (_: [ "--version" ])
    // lib.genAttrs [
      "awk"
      "bash"
      "cat"
      "diff"
      "find"
      "grep"
      "gzip"
      "make"
      "patch"
      "sed"
      "sh"
      "tar"
      "xargs"
      "xz"
    ] (_: [ "--version" ])
    // {
      auditwheel = [ "--version" ];
      bzip2 = [ "--help" ];
      ccache = [ "--version" ];
      clang-format = [ "--version" ];
      cmake = [ "--version" ];
      ctest = [ "--version" ];
      cpack = [ "--version" ];
      gdb = [ "--version" ];
      ninja = [ "--version" ];
      node = [ "--version" ];
      patchelf = [ "--version" ];
      pkg-config = [ "--version" ];
      pyright = [ "--version" ];
      python3 = [ "--version" ];
      ruff = [ "--version" ];
      shellcheck = [ "--version" ];
    };
in
runCommand "test-tools"
  {
    nativeBuildInputs = [
      stdenv.cc
      stdenv.cc.bintools
      auditwheel
      ccache
      clang-tools
      cmake
      gdb
      ninja
      nodejs
      patchelf
      pkg-config
      pyright
      python3
      ruff
      shellcheck
    ];
  }
  ''
    ${lib.concatStringsSep "\n" (
      lib.mapAttrsToList (name: arguments: ''
        program=$(type -P ${name})
        env -i $program ${lib.escapeShellArgs arguments} >output 2>&1 || { cat output; echo "error: ${name} fails"; exit 1; }
        echo "$program: $(head -n 1 output)" | tee -a $out
      '') programs
    )}
    # none of them from outside the store
    ! grep -v '^/nix/store/' $out
  ''
