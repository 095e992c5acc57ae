# Unit tests of the package set, one derivation each:
#
#   nix build path:nix/pkgs#tests.fixup
#   nix build path:nix/pkgs#tests.all      all of them, and every package
{
  lib,
  linkFarm,
  newScope,
  openblasCompat,
}:
lib.makeScope newScope (self: {
  attributes = self.callPackage ./tests/attributes.nix { };
  backtrace = self.callPackage ./tests/backtrace.nix { };
  bindings = self.callPackage ./tests/bindings.nix { };
  cache-hits = self.callPackage ./tests/cache-hits.nix { };
  closure = self.callPackage ./tests/closure.nix { };
  compiler = self.callPackage ./tests/compiler.nix { };
  editable = self.callPackage ./tests/editable.nix { };
  cuda = self.callPackage ./tests/cuda.nix { };
  environment = self.callPackage ./tests/environment.nix { };
  evaluation = self.callPackage ./tests/evaluation.nix { };
  extension = self.callPackage ./tests/extension.nix { };
  fixup = self.callPackage ./tests/fixup.nix { };
  formatters = self.callPackage ./tests/formatters.nix { };
  hello = self.callPackage ./tests/hello.nix { };
  hooks = self.callPackage ./tests/hooks.nix { };
  isolation = self.callPackage ./tests/isolation.nix { };
  libraries = self.callPackage ./tests/libraries.nix { };
  libraries-blas32 = self.callPackage ./tests/libraries.nix { openblas = openblasCompat; };
  lock = self.callPackage ./tests/lock.nix { };
  python-files = self.callPackage ./tests/python-files.nix { };
  scripts = self.callPackage ./tests/scripts.nix { };
  tools = self.callPackage ./tests/tools.nix { };
  wheel-tag = self.callPackage ./tests/wheel-tag.nix { };

  all = linkFarm "all-tests" (
    lib.filterAttrs (_: lib.isDerivation) (removeAttrs (self.packages self) [ "all" ])
  );
})
