# The embedded package set: a handful of nixpkgs' attributes, made from Debian's binaries.
#
# One file per attribute; this one says where each is. Files are functions of other attributes
# (callPackage), so what depends on what is written in their first lines.
{
  system ? "x86_64-linux",
  # nixpkgs has it. Here nothing is refused for its licence, and nothing is built otherwise with CUDA on.
  config ? { },
  # [ (final: prev: { … }) ]: packages that are added or replaced, for all the others, too.
  overlays ? [ ],
}:
let
  lib = import ./lib;

  scope = lib.makeScope (extra: lib.callPackageWith (extra // { inherit lib system; })) (
    self:
    let
      inherit (self) callPackage;
      debian = import ./debs {
        inherit system lib;
        grouped = {
          inherit (self)
            bash
            blas
            cmake
            gcc-lib
            glibc
            gtest
            libhwy
            oneDNN
            openblas
            openmpi
            patchelf-bootstrap
            pkg-config
            python3
            ucx
            zlib
            ;
          gcc = self.gcc-unwrapped;
        };
      };
      deb = name: debian.debPackages.${name};
    in
    {
      inherit lib system;
      inherit (self) callPackage newScope;
      pkgs = self;
      path = ./.;
      appendOverlays = builtins.foldl' (set: set.extend) self;
      extend = self.overrideScope;

      # ---- from Debian: locked files, and one package for each library deb ---------------------
      inherit (debian)
        lock
        busybox-seed
        busyboxTools
        fetchLocked
        fetchDeb
        debPackages
        mkDebPackage
        ;
      debs.fetch = debian.fetchDeb;
      fetchDebFile = callPackage ./build-support/fetch-deb-file.nix { };
      fetchFromGitHub = callPackage ./build-support/fetch-from-github.nix { };
      fetchurl = callPackage ./build-support/fetchurl.nix { };

      # ---- toolchain ---------------------------------------------------------------------------
      runBootstrap = callPackage ./toolchain/run-bootstrap.nix { };
      glibc = callPackage ./toolchain/glibc.nix { };
      gcc-lib = callPackage ./toolchain/gcc-lib.nix { };
      gcc-unwrapped = callPackage ./toolchain/gcc.nix { };
      patchelf-bootstrap = callPackage ./toolchain/patchelf-bootstrap.nix { };
      binutils = callPackage ./toolchain/binutils.nix { };
      gcc = callPackage ./toolchain/cc.nix { };
      stdenv = callPackage ./stdenv {
        cc = self.gcc;
        inherit (self) initialPath;
      };
      stdenvNoCC = callPackage ./stdenv {
        cc = null;
        inherit (self) initialPath;
      };
      initialPath = [
        self.bash
        self.coreutils
        self.findutils
        self.diffutils
        self.gnused
        self.gnugrep
        self.gawk
        self.gnutar
        self.gzip
        self.bzip2
        self.xz
        self.gnumake
        self.patch
        self.patchelf
      ];

      # ---- from the Python package index -------------------------------------------------------
      fetchWheel = callPackage ./build-support/fetch-wheel.nix { };
      unpackWheel = callPackage ./build-support/unpack-wheel.nix { };
      wheelProgram = callPackage ./build-support/wheel-program.nix { };

      cudaPackages = callPackage ./cuda { };

      # ---- tools -------------------------------------------------------------------------------
      auditwheel = self.python3Packages.toPythonApplication self.python3Packages.auditwheel;
      bash = callPackage ./tools/bash.nix { };
      bashInteractive = self.bash;
      runtimeShell = "${self.bash}/bin/bash";
      busybox = self.busyboxTools;
      bzip2 = deb "bzip2";
      ccache = callPackage ./tools/ccache.nix { };
      clang-tools = callPackage ./tools/clang-tools.nix { };
      cmake = callPackage ./tools/cmake { };
      coreutils = deb "coreutils";
      diffutils = deb "diffutils";
      findutils = deb "findutils";
      gawk = callPackage ./tools/gawk.nix { };
      gdb = callPackage ./tools/gdb.nix { };
      gnugrep = deb "grep";
      gnumake = deb "make";
      gnused = deb "sed";
      gnutar = deb "tar";
      gzip = deb "gzip";
      ninja = callPackage ./tools/ninja { };
      nodejs = callPackage ./tools/nodejs.nix { };
      patch = deb "patch";
      patchelf = deb "patchelf";
      pkg-config = callPackage ./tools/pkg-config { };
      pkgconf = self.pkg-config;
      pyright = callPackage ./tools/pyright.nix { };
      ruff = callPackage ./tools/ruff.nix { };
      shellcheck = deb "shellcheck";
      xz = deb "xz-utils";

      # ---- libraries ---------------------------------------------------------------------------
      blas = callPackage ./libraries/blas.nix { };
      gemmi = callPackage ./libraries/gemmi.nix { };
      gtest = callPackage ./libraries/gtest.nix { };
      lapack = self.blas;
      libhwy = callPackage ./libraries/libhwy.nix { };
      oneDNN = callPackage ./libraries/one-dnn.nix { };
      onednn = self.oneDNN;
      openblas = callPackage ./libraries/openblas.nix { };
      openblasCompat = self.openblas.override { blas64 = false; };
      mpi = self.openmpi;
      openmpi = callPackage ./libraries/openmpi.nix { };
      openssl = callPackage ./libraries/openssl.nix { };
      ucx = callPackage ./libraries/ucx.nix { };
      zlib = callPackage ./libraries/zlib.nix { };

      # ---- Python ------------------------------------------------------------------------------
      # The same for python3Packages, of whichever interpreter.
      pythonPackagesExtensions = [ ];
      python3 = callPackage ./python { };
      python313 = self.python3;
      python3Packages = self.python3.pkgs;
      python313Packages = self.python3Packages;

      # ---- builders ----------------------------------------------------------------------------
      autoPatchelfHook = callPackage ./build-support/auto-patchelf { };
      linkFarm = callPackage ./build-support/link-farm.nix { };
      makeSetupHook = callPackage ./build-support/make-setup-hook.nix { };
      mkShell = callPackage ./build-support/mk-shell.nix { };
      mkShellNoCC = callPackage ./build-support/mk-shell.nix { stdenv = self.stdenvNoCC; };
      runCommand = callPackage ./build-support/run-command.nix { };
      runCommandCC = callPackage ./build-support/run-command-cc.nix { };
      symlinkJoin = callPackage ./build-support/symlink-join.nix { };
      writeScript = callPackage ./build-support/write-script.nix { };
      writeShellScript = callPackage ./build-support/write-shell-script.nix { };
      writeShellScriptBin = callPackage ./build-support/write-shell-script-bin.nix { };
      writeText = callPackage ./build-support/write-text.nix { };
      writeTextFile = callPackage ./build-support/write-text-file.nix { };

      tests = callPackage ./tests.nix { };
      # The same without `all` and without functions, for those who have nixpkgs' `tests` in mind.
      setTests = lib.filterAttrs (name: test: name != "all" && lib.isDerivation test) self.tests;
    }
  );
in
scope.appendOverlays overlays
