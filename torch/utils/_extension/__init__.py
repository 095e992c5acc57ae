"""The parts of torch.utils.cpp_extension, one file each: where torch lies, the compiler, ninja, JIT, setuptools."""
