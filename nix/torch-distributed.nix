# torch._distributed: stores and groups of THD for Python.
{
  interfaces,
  libtorch-interface,
  mkModule,
}:
mkModule {
  pname = "torch-distributed";
  manifest = "torch_distributed";
  folder = "csrc/distributed";
  paths = [
    "csrc/distributed"
    "csrc/extension"
  ];
  interfaces = [
    interfaces.THD
    libtorch-interface
  ];
  description = "Stores and process groups for Python";
}
