"""What is useful around torch: collect_env describes an installation, cpp_extension builds extensions."""

import os

# For CMake's find_package(Torch): -DCMAKE_PREFIX_PATH="$(python -c 'import torch.utils as u; print(u.cmake_prefix_path)')"
cmake_prefix_path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "share", "cmake")
