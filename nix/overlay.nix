# torch for a package set of anybody's: `python3Packages.torch`, for each of its interpreters, and `torchScope`, all that
# this is made of. docs/nixpkgs.md says where these lines would stand in nixpkgs itself.
final: prev: {
  torchScope = import ./scope.nix { pkgs = final; };
  pythonPackagesExtensions = prev.pythonPackagesExtensions ++ [ final.torchScope.pythonExtension ];
}
