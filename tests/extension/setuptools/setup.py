"""Three extensions: a module of its own, one inside a package and made of C and C++, one with other options."""

import os

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

options = {"use_ninja": os.environ.get("WITHOUT_NINJA") is None}
flags = os.environ.get("EXTRA_FLAGS", "").split()

setup(
    name="lltm",
    version="0.1",
    packages=["lltm"],
    ext_modules=[
        CppExtension("lltm_cpp", ["lltm.cpp"], extra_compile_args={"cxx": ["-O0", *flags]}),
        CppExtension("lltm.inner", ["inner.cpp", "offset.c"], extra_compile_args=["-O0"]),
    ],
    cmdclass={"build_ext": BuildExtension.with_options(**options)},
)
