# What the bindings and users' extensions see of libtorch.
{ cxxInterface, libraries }:
cxxInterface {
  pname = "libtorch-interface";
  name = "torch";
  folder = "csrc/autograd";
  needs = { inherit (libraries) THPP; };
  description = "Headers of libtorch, the gradients";
}
