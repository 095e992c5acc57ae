# runBootstrap name env script -> a derivation made by busybox alone: runCommand before stdenv.
{ system, busyboxTools }:
name: env: script:
derivation (
  {
    inherit name system script;
    PATH = "${busyboxTools}/bin";
    builder = "${busyboxTools}/bin/sh";
    args = [
      "-euc"
      ''umask 022; eval "$script"''
    ];
  }
  // env
)
