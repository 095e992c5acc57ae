{
  description = "torch: tensors in layers, built by a pure function";

  # A machine that cannot reach nixpkgs builds the same outputs from nix/pkgs; ./nixw says how.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs = inputs: import ./nix/outputs.nix inputs;
}
