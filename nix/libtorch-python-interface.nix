# What the extension modules see of libtorch_python.
{
  interfaces,
  mkInterface,
  python3,
}:
mkInterface {
  pname = "libtorch_python-interface";
  name = "torch_python";
  folder = "csrc/python";
  needs = { inherit (interfaces) THPP; };
  exported = "TORCH_PYTHON_API";
  include = [ "${python3}/include/${python3.libPrefix}" ];
  description = "Headers and link stub of libtorch_python, to build extension modules with";
}
