{
  description = "The few packages of nixpkgs that torch uses, made from Debian's binaries";

  # Stands in for nixpkgs: `nix build .#torch --override-input nixpkgs path:<absolute>/nix/pkgs`.
  outputs =
    { self }:
    {
      lib = import ./lib;
      legacyPackages.x86_64-linux = import ./. { system = "x86_64-linux"; };
    };
}
