# What the extension modules see of libtorch_python.
{ cxxInterface, libraries }:
cxxInterface {
  pname = "libtorch_python-interface";
  name = "torch_python";
  folder = "csrc/python";
  needs = { inherit (libraries) THPP; };
  description = "Headers of libtorch_python, to build extension modules with";
}
