# callPackage fills every argument whose name the package set has, optional ones, too, and nixpkgs has thousands of
# names: `more`, `size`, `time`, `watch`. So whatever a file of nix/ takes is defined by our scope, is a package, or is
# given where the file is called. Here every optional argument that our scope does not define is in the package set, and
# throws when it is used; all derivations evaluate, and nothing is built. The control: an interpreter with `more`, as
# nix/python.nix once was.
{
  lib,
  pkgs,
  runCommand,
  scopeOver,
}:
let
  filesIn =
    folder:
    map (file: folder + "/${file}") (
      lib.filter (lib.hasSuffix ".nix") (lib.attrNames (builtins.readDir folder))
    );
  files = filesIn ../. ++ filesIn ./.;
  optional =
    file:
    let
      f = if lib.isFunction file then file else import file;
    in
    lib.optionals (lib.isFunction f) (lib.attrNames (lib.filterAttrs (_: hasDefault: hasDefault) (lib.functionArgs f)));

  ours = scopeOver pkgs;
  # The scope over a set that has a package of each name which these files would take and our scope does not define.
  crowded =
    files:
    let
      names = lib.filter (name: !(ours ? ${name})) (lib.unique (lib.concatMap optional files));
      taken = lib.genAttrs names (
        name: throw "nix/: the optional argument '${name}' may be a package: define it in the scope or give it by hand"
      );
    in
    scopeOver (pkgs // taken // { newScope = extra: pkgs.newScope (taken // extra); });

  # Every derivation of a scope, with the host's CUDA in the place of NVIDIA's; without the checks that evaluate
  # scopes of their own over the same files.
  derivations = import ./derivations.nix { inherit lib; };
  pathsOf =
    scope:
    let
      all = derivations scope.hostCuda;
      paths = lib.mapAttrsToList (_: drv: drv.drvPath);
    in
    lib.attrValues (all.cpu // all.cuda)
    ++ paths (lib.filterAttrs (_: lib.isDerivation) scope.hostCuda)
    ++ paths (
      removeAttrs scope.checks [
        "arguments"
        "cuda-adds"
        "libraries-toml"
        "rebuild-matrix"
      ]
    );
  paths = pathsOf (crowded files);

  # What nix/python.nix was, in short.
  former =
    {
      python3,
      torch,
      more ? _: [ ],
    }:
    python3.withPackages (ps: [ torch ] ++ more ps);
  control = (crowded (files ++ [ former ])).overrideScope (self: _: { python = self.callPackage former { }; });
  evaluates = drv: (builtins.tryEval drv.drvPath).success;
in
assert lib.assertMsg (evaluates control.torch) "arguments: the control does not evaluate where it should";
assert lib.assertMsg (!(evaluates control.python)) "arguments: the control evaluates, and should not";
assert builtins.deepSeq paths true;
runCommand "torch-arguments" { } ''
  mkdir $out
  echo "2 passed, 0 failed: ${toString (lib.length paths)} derivations" > $out/report.txt
''
