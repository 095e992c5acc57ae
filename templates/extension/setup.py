from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    ext_modules=[CppExtension("swish._C", ["src/swish/swish.cpp"], extra_compile_args=["-O2"])],
    cmdclass={"build_ext": BuildExtension},
)
