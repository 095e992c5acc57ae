import numpy
from setuptools import Extension, setup

setup(
    packages=["witness"],
    ext_modules=[
        Extension("witness._native", ["native.cpp"], include_dirs=[numpy.get_include()], libraries=["openblas"])
    ],
)
