# What the bindings and users' extensions see of libtorch.
{ interfaces, mkInterface }:
mkInterface {
  pname = "libtorch-interface";
  name = "torch";
  folder = "csrc/autograd";
  needs = { inherit (interfaces) THPP; };
  exported = "AUTOGRAD_API";
  description = "Headers and link stub of libtorch, the gradients";
}
