# The shell scripts of the package set pass shellcheck.
{ runCommand, shellcheck, lib }:
let
  # Sourced together: a function or variable of one file is used in another.
  ignored = [
    "SC1090" # sources what is named by a variable
    "SC1091"
    "SC2034" # set here, used there
    "SC2154" # set there, used here
    "SC2148" # no first line: not a program
    "SC2086" # flags are words in a string, store paths hold no spaces
    "SC2206"
    "SC2123" # PATH is meant
    "SC2164" # a failing cd stops the build
    "SC2209" # check is a word, not a command
    "SC2178" # namerefs
    "SC2239" # the first line is filled in
  ];
  scripts = lib.fileset.toSource {
    root = ../.;
    fileset = lib.fileset.fileFilter (file: file.hasExt "sh") ../.;
  };
in
runCommand "test-scripts" { nativeBuildInputs = [ shellcheck ]; } ''
  cd ${scripts}
  shellcheck -s bash -e ${lib.concatStringsSep "," ignored} $(find . -name '*.sh' ! -name '*-wrapper.sh' ! -path './debs/*')
  shellcheck -s bash -e ${lib.concatStringsSep "," ignored} toolchain/*-wrapper.sh
  # Run by busybox before there is bash; it knows `read -n` (SC3045). $ORIGIN is the loader's (SC2016).
  shellcheck -s busybox -e ${lib.concatStringsSep "," (ignored ++ [ "SC2013" "SC2016" "SC3045" ])} debs/*.sh
  touch $out
''
