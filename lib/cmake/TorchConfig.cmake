# find_package(Torch): an installed torch, for C++ programs and for extension modules of Python.
# Installed as torch/share/cmake/Torch/TorchConfig.cmake; the folder for CMAKE_PREFIX_PATH is what
#   python -c "import torch.utils; print(torch.utils.cmake_prefix_path)"
# prints. It gives
#
#   torch                   target: the C++ libraries and headers, C++20; needs no Python
#   torch_python            target: the same and libtorch_python, for Python modules; brings no Python itself
#   TORCH_LIBRARIES         torch
#   TORCH_INCLUDE_DIRS      the headers
#   TORCH_CXX_FLAGS         what code that links torch must be compiled with
#   TORCH_INSTALL_PREFIX    the folder of the Python package
#   TORCH_PYTHON_LIBRARY    libtorch_python.so.1
#
# Nothing is filled in when it is installed: everything is found from where this file lies, so the
# package may be moved, and the libraries are those that are there. lib/libraries.toml decided that.
get_filename_component(TORCH_INSTALL_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
# An environment may be made of links to packages; programs shall depend on the package.
get_filename_component(TORCH_INSTALL_PREFIX "${TORCH_INSTALL_PREFIX}" REALPATH)
set(TORCH_INCLUDE_DIRS "${TORCH_INSTALL_PREFIX}/lib/include")
set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=1")
set(TORCH_PYTHON_LIBRARY "${TORCH_INSTALL_PREFIX}/lib/libtorch_python.so.1" CACHE FILEPATH "torch's Python bindings")

file(GLOB _torch_files "${TORCH_INSTALL_PREFIX}/lib/lib*.so.1")
list(REMOVE_ITEM _torch_files "${TORCH_INSTALL_PREFIX}/lib/libtorch_python.so.1")
if(NOT _torch_files OR NOT EXISTS "${TORCH_INCLUDE_DIRS}/torch/torch.h")
  set(Torch_FOUND FALSE)
  set(Torch_NOT_FOUND_MESSAGE "${TORCH_INSTALL_PREFIX} has no lib/lib*.so.1 or no lib/include/torch: "
    "a checkout that has not been built?")
  return()
endif()

# A target that is imported from a file: CMake then knows its soname and puts its folder into the rpath.
function(_torch_import target file)
  if(NOT TARGET ${target})
    get_filename_component(soname "${file}" NAME)
    add_library(${target} SHARED IMPORTED)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${file}" IMPORTED_SONAME "${soname}")
  endif()
endfunction()

set(_torch_targets "")
foreach(_torch_file IN LISTS _torch_files)
  string(REGEX REPLACE ".*/lib(.*)\\.so\\.1$" "torch::\\1" _torch_target "${_torch_file}")
  _torch_import(${_torch_target} "${_torch_file}")
  list(APPEND _torch_targets ${_torch_target})
endforeach()

if(NOT TARGET torch)
  add_library(torch INTERFACE IMPORTED)
  set_target_properties(torch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${TORCH_INCLUDE_DIRS}"
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_COMPILE_OPTIONS "${TORCH_CXX_FLAGS}"
    # DT_RPATH, which the loader consults before LD_LIBRARY_PATH. CMake adds the folder to programs in the
    # build tree; for installed ones, set INSTALL_RPATH or CMAKE_INSTALL_RPATH_USE_LINK_PATH.
    INTERFACE_LINK_OPTIONS "-Wl,--disable-new-dtags"
    INTERFACE_LINK_LIBRARIES "${_torch_targets}")
endif()
set(TORCH_LIBRARIES torch)

if(EXISTS "${TORCH_INSTALL_PREFIX}/lib/libtorch_python.so.1" AND NOT TARGET torch_python)
  _torch_import(torch_python "${TORCH_INSTALL_PREFIX}/lib/libtorch_python.so.1")
  set_target_properties(torch_python PROPERTIES INTERFACE_LINK_LIBRARIES torch)
endif()

set(Torch_FOUND TRUE)
set(TORCH_FOUND TRUE)
