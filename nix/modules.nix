# The extension modules: torch._C, torch._dl, torch._thnn._THNN, in python/torch/; and what users build
# their own with: headers, share/cmake/Torch.
{
  generated,
  mkModule,
}:
mkModule {
  pname = "torch-modules";
  manifest = "modules";
  folder = "csrc/modules";
  paths = [
    "csrc/extension"
    "csrc/modules"
    "lib/cmake/TorchConfig.cmake"
    "lib/cmake/TorchConfigVersion.cmake"
  ];
  cmakeFlags = [ "-DNN_GENERATED=${generated.nn}" ];
  postFixup = "rpathFrom '$ORIGIN/../lib' $unwanted -- $out/python/torch/*/*.so";
  description = "The extension modules of torch";
}
