"""Builds and installs torch without Nix, part by part: python setup.py --help-commands

    pip install .                             a clean machine's way; the packages that it needs are named first
    python setup.py develop                   build in the tree; `import torch` is the checkout
    python setup.py build_deps --only THNN    one library
    python -m tools.options                   the options, which are environment variables

lib/libraries.toml says which libraries there are, the CMake files how they are compiled, tools/ what
each command does.
"""

import pathlib
import sys

from setuptools import Extension, find_packages, setup

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # setuptools as a PEP 517 backend does not do it

from tools import commands, dependencies, options, step, tree  # noqa: E402


def main():
    wanted = options.read()
    setup(
        name=wanted.package_name,
        version=wanted.version,
        description="Tensors and neural networks, layered as PyTorch was in 2017: "
        "C libraries, generated bindings, one Python package",
        license="BSD-3-Clause",
        license_files=["LICENSE"],
        python_requires=">=3.11",
        packages=find_packages(include=["torch", "torch.*"]),
        package_data={
            "torch": ["py.typed", "_C.pyi", "__init__.pyi", "_sobol_directions.bin", "_sobol_directions.txt"]
        },
        ext_modules=[Extension("torch._C", [])],  # CMake builds them; this makes it a package for one platform
        cmdclass=commands.COMMANDS,
        # Nothing of torch imports it; whoever depends on torch takes for granted that it is there.
        install_requires=["typing_extensions>=4.10"],
        extras_require={"numpy": ["numpy>=1.25"]},
        entry_points={
            "console_scripts": [
                "torch-collect-env = torch.utils.collect_env:main",
                "torchrun = torch.distributed.run:main",
            ]
        },
        zip_safe=False,
    )


if __name__ == "__main__":
    # These say what was wrong and what to do; a traceback would bury it.
    try:
        main()
    except (options.OptionError, dependencies.MissingDependencies, step.StepFailed, tree.UnknownPart) as error:
        sys.exit(f"setup.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
