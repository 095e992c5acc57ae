"""What compiled C against TH's headers until PyTorch 1.0: create_extension, create_ffi_module. It says what has come instead."""

raise ImportError(
    "torch.utils.ffi is deprecated: it built extensions with cffi against TH's C functions. Please use cpp extensions instead: "
    "torch.utils.cpp_extension.load_inline, or CUDAExtension and CppExtension in a setup.py"
)
