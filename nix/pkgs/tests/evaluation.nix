# The functions of the package set mean what they mean in nixpkgs. Pure evaluation: a wrong answer
# stops with the name of the case.
{
  lib,
  runCommand,
  stdenv,
  callPackage,
  newScope,
  mkShell,
  blas,
  openblas,
  openblasCompat,
  python3,
  python3Packages,
  cmake,
  gtest,
  fetchDeb,
  busybox-seed,
}:
let
  base = stdenv.mkDerivation (finalAttrs: {
    pname = "base";
    version = "1";
    greeting = "hello ${finalAttrs.version}";
    passthru.tests.self = finalAttrs.finalPackage;
    meta.description = "d";
  });
  newer = base.overrideAttrs { version = "2"; };
  longer = newer.overrideAttrs (old: {
    greeting = old.greeting + "!";
  });
  final = longer.overrideAttrs (
    finalAttrs: old: {
      pname = old.pname + "-" + finalAttrs.version;
    }
  );
  called = callPackage (
    {
      stdenv,
      flag ? false,
    }:
    stdenv.mkDerivation {
      name = "called";
      inherit flag;
      passthru = { inherit flag; };
    }
  ) { };
  scope = lib.makeScope newScope (self: {
    a = 1;
    b = self.callPackage ({ a }: { value = a; }) { };
  });
  split = stdenv.mkDerivation {
    name = "split";
    outputs = [
      "out"
      "dev"
    ];
  };
  shell = mkShell {
    packages = [ cmake ];
    inputsFrom = [ called base ];
  };
  # What is added or replaced, others see; what comes later, too.
  extended = import ../. {
    overlays = [
      (_: previous: {
        number = 1;
        next = previous.callPackage ({ number }: number + 1) { };
        pythonPackagesExtensions = previous.pythonPackagesExtensions ++ [
          (self: _: { added = self.callPackage ({ pycparser }: pycparser) { }; })
        ];
      })
      (final: previous: {
        number = previous.number + final.ten;
        ten = 10;
        pythonPackagesExtensions = previous.pythonPackagesExtensions ++ [
          (_: previous: {
            pycparser = previous.pycparser // {
              inherit (final) number;
            };
          })
        ];
      })
    ];
  };
  source =
    fileset:
    builtins.attrNames (
      builtins.readDir (
        lib.fileset.toSource {
          root = ./.;
          inherit fileset;
        }
      ).outPath
    );

  cases = {
    finalAttrs = base.greeting == "hello 1" && base.name == "base-1";
    overrideAttrsSet = newer.greeting == "hello 2" && newer.name == "base-2";
    overrideAttrsPrevious = longer.greeting == "hello 2!";
    overrideAttrsFinal = final.name == "base-2-2" && final.greeting == "hello 2!";
    finalPackage = newer.tests.self.name == "base-2";
    passthruStays = (newer.passthru ? tests) && newer.meta.description == "d";
    override = (called.override { flag = true; }).flag && !called.flag;
    overrideFunction = (called.override (old: { flag = !(old.flag or false); })).flag;
    overrideThenAttrs =
      ((called.override { flag = true; }).overrideAttrs { name = "x"; }).flag
      && ((called.overrideAttrs { name = "x"; }).override { flag = true; }).name == "x"
      && ((called.overrideAttrs { name = "x"; }).override { flag = true; }).flag;
    missingArgument = !(builtins.tryEval (callPackage ({ noSuchAttribute }: noSuchAttribute) { })).success;
    scope = scope.b.value == 1 && (scope.overrideScope (_: _: { a = 2; })).b.value == 2;
    overlays =
      extended.next == 12
      && (extended.extend (_: _: { ten = 20; })).next == 22
      && (extended.appendOverlays [ (_: _: { ten = 20; }) (_: _: { ten = 30; }) ]).next == 32
      && import extended.path { } ? stdenv;
    overlaysOfPython =
      extended.python3Packages.added.number == 11
      && extended.python3.pkgs.added.number == 11
      && extended.python3.pkgs.pycparser.drvPath == python3Packages.pycparser.drvPath
      && !(python3Packages ? added);
    outputs = split.dev.outputName == "dev" && lib.getDev split == split.dev && lib.getLib openblas == openblas.out;
    shell = lib.elem cmake.drvPath (map (p: p.drvPath) shell.nativeBuildInputs);
    booleans = called.drvAttrs.flag == false;

    pythonNames =
      python3.sitePackages == "lib/python3.13/site-packages"
      && python3.pkgs.numpy == python3Packages.numpy
      && python3.interpreter == "${python3}/bin/python3.13"
      && python3Packages.python.pythonVersion == "3.13";
    pythonModule = lib.all (p: p ? pythonModule) [
      python3Packages.numpy
      python3Packages.pyyaml
      (python3Packages.toPythonModule called)
    ];
    requiresPyproject =
      !(builtins.tryEval (
        python3Packages.buildPythonPackage {
          pname = "x";
          version = "1";
        }
      ).outPath).success;

    # what nixw relies on
    lockedFile =
      let
        deb = fetchDeb "bash";
      in
      builtins.match "deb pool/main/b/bash/bash_[^ ]+_amd64\\.deb" deb.lockedFile != null
      && deb.outputHashMode == "flat"
      && deb.outputHashAlgo == "sha256"
      && builtins.match "[0-9a-f]{64}" deb.outputHash != null
      && builtins.match "[A-Za-z0-9+._?=-]+" deb.name != null;
    seed =
      builtins.match "seed pool/main/b/busybox/busybox-static_[^ ]+\\.deb \\./usr/bin/busybox bin/busybox" busybox-seed.lockedFile
      != null
      && busybox-seed.outputHashMode == "recursive";
    unlocked = !(builtins.tryEval (fetchDeb "no-such-deb").outPath).success;

    fileset =
      source (
        lib.fileset.unions [
          ./openmp.c
          ./hello
          (lib.fileset.maybeMissing ./none)
        ]
      ) == [
        "hello"
        "openmp.c"
      ];
    fileFilter =
      source (lib.fileset.fileFilter (file: file.hasExt "c") ./.) == [
        "hello"
        "openmp.c"
        "sgemm.c"
      ];
    filesetMissing = !(builtins.tryEval (source (lib.fileset.unions [ ./none ]))).success;

    # nixpkgs sets it after the arguments; and it is paths, of what nobody builds for that
    forbidden =
      let
        package = python3Packages.buildPythonPackage {
          pname = "x";
          version = "1";
          pyproject = true;
          disallowedReferences = [ cmake ];
        };
        forbidding = package.overrideAttrs {
          disallowedReferences = [ cmake "${gtest}" ];
          disallowedRequisites = [ cmake ];
        };
      in
      package.disallowedReferences == [ ]
      && forbidding.disallowedReferences == [ cmake.outPath gtest.outPath ]
      && forbidding.disallowedRequisites == [ cmake.outPath ]
      && map builtins.hasContext forbidding.disallowedReferences == [ false true ]
      && map builtins.hasContext forbidding.disallowedRequisites == [ false ]
      && forbidding.pythonModule == python3;
    blas64 =
      openblas.blas64
      && !(openblas.override { blas64 = false; }).blas64
      && (openblas.override { blas64 = true; }).drvPath == openblas.drvPath
      && openblasCompat.drvPath == (openblas.override { blas64 = false; }).drvPath
      && !blas.isILP64;

    strings =
      lib.trim " a b\n" == "a b"
      && lib.splitString "." "a.b" == [ "a" "b" ]
      && lib.escapeShellArg "a'b" == "'a'\\''b'"
      && lib.hasInfix "." "a.b"
      && !(lib.hasInfix "." "ab")
      && lib.makeLibraryPath [ openblas ] == "${openblas}/lib"
      && lib.concatMapStringsSep "," toString [ 1 2 ] == "1,2"
      && lib.removePrefix "a" "abc" == "bc"
      && lib.hasSuffix "c" "abc"
      && lib.versions.majorMinor "3.13.5" == "3.13";
    lists =
      lib.flatten [ 1 [ 2 [ 3 ] ] ] == [ 1 2 3 ]
      && lib.unique [ 1 2 1 ] == [ 1 2 ]
      && lib.take 2 [ 1 2 3 ] == [ 1 2 ]
      && lib.last [ 1 2 ] == 2
      && lib.init [ 1 2 ] == [ 1 ]
      && lib.reverseList [ 1 2 ] == [ 2 1 ]
      && lib.subtractLists [ 1 ] [ 1 2 ] == [ 2 ];
    attrsets =
      lib.mapAttrs' (n: v: lib.nameValuePair (n + "x") v) { a = 1; } == { ax = 1; }
      && lib.filterAttrs (_: v: v > 1) { a = 1; b = 2; } == { b = 2; }
      && lib.genAttrs [ "a" ] (n: n) == { a = "a"; }
      && lib.recursiveUpdate { a.b = 1; } { a.c = 2; } == { a = { b = 1; c = 2; }; };
  };
  wrong = lib.attrNames (lib.filterAttrs (_: right: !right) cases);
in
assert lib.assertMsg (wrong == [ ]) "evaluation tests that fail: ${toString wrong}";
runCommand "test-evaluation" { } "echo ${toString (lib.length (lib.attrNames cases))} cases >$out"
