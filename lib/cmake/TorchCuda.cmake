# What a library with `cuda = true` needs besides (libraries.toml): a CUDA toolkit, and how its .cu files are compiled.
# CMake's own CUDA language is not used: it would ask the toolkit to compile and link a program first, and with it the
# device code would be linked once more, by nvcc, which leaves names of the toolkit's files in the object.
#
#   TORCH_CUDA_ARCH_LIST   capabilities to compile for, as PyTorch spells them: "8.0;9.0+PTX"
#   CUDAToolkit_ROOT       the toolkit, unless CMAKE_PREFIX_PATH or PATH lead to it; also CUDA_HOME; both may
#                          be variables of CMake or of the environment
#
# torch_cuda_toolkit()             finds nvcc and its capabilities: TORCH_NVCC, TORCH_CUDA_COMPILER (what objects must be
#                                  compiled with to be alike), TORCH_CUDA_OPTIONS (of nvcc), TORCH_CUDA_ARCHITECTURES
#                                  ("sm_80 sm_90 compute_90"), TORCH_CUDA_VERSION ("13.0")
# torch_cuda_link(TARGET VENDOR)   links one of the toolkit's packages, by its name in libraries.toml
# torch_cuda_source(TARGET FILE SOURCE OUT)   OUT: the object that FILE.cu is compiled to, where CMake puts those of TARGET
#                                  whose source is SOURCE; include directories and definitions are the target's
include_guard()

set(_torch_cuda_roots "")
foreach(variable CUDAToolkit_ROOT CUDA_HOME)
  foreach(root "${${variable}}" "$ENV{${variable}}")
    if(root)
      list(APPEND _torch_cuda_roots ${root})
    endif()
  endforeach()
endforeach()

function(torch_cuda_toolkit)
  find_program(TORCH_NVCC nvcc HINTS ${_torch_cuda_roots} PATH_SUFFIXES bin DOC "compiler of .cu files")
  if(NOT TORCH_NVCC)
    message(FATAL_ERROR "no nvcc in PATH, CUDAToolkit_ROOT='${CUDAToolkit_ROOT}' or CUDA_HOME='$ENV{CUDA_HOME}': "
      "libraries with `cuda = true` need a CUDA toolkit")
  endif()
  execute_process(COMMAND "${TORCH_NVCC}" --list-gpu-arch OUTPUT_VARIABLE known RESULT_VARIABLE failed)
  execute_process(COMMAND "${TORCH_NVCC}" --version OUTPUT_VARIABLE version)
  string(REGEX MATCHALL "compute_[0-9]+" known "${known}")
  if(failed OR NOT known)
    message(FATAL_ERROR "${TORCH_NVCC} --list-gpu-arch does not say what it compiles for")
  endif()
  list(TRANSFORM known REPLACE "compute_([0-9]+)([0-9])" "\\1.\\2")
  list(SORT known COMPARE NATURAL)

  if(NOT TORCH_CUDA_ARCH_LIST)
    message(FATAL_ERROR "TORCH_CUDA_ARCH_LIST says for which capabilities to compile, such as \"8.0;9.0+PTX\"; "
      "this toolkit has ${known}")
  endif()
  set(names "")
  set(codes "")
  set(intermediate "")
  string(REGEX REPLACE "[ ;]+" ";" capabilities "${TORCH_CUDA_ARCH_LIST}")
  foreach(entry IN LISTS capabilities)
    string(REGEX REPLACE "\\+PTX$" "" capability "${entry}")
    string(REGEX REPLACE "[af]$" "" generation "${capability}")  # 9.0a: what no other device will run
    if(NOT generation IN_LIST known)
      message(FATAL_ERROR "TORCH_CUDA_ARCH_LIST='${TORCH_CUDA_ARCH_LIST}': ${TORCH_NVCC} does not compile for "
        "'${entry}'; it does for ${known}")
    endif()
    string(REPLACE "." "" number "${capability}")
    list(APPEND names sm_${number})
    list(APPEND codes "-gencode=arch=compute_${number},code=sm_${number}")
    if(NOT capability STREQUAL entry)
      list(APPEND intermediate compute_${number})
      list(APPEND codes "-gencode=arch=compute_${number},code=compute_${number}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES codes)
  string(REPLACE ";" " " architectures "${names};${intermediate}")
  string(STRIP "${architectures}" architectures)

  set(TORCH_CUDA_ARCHITECTURES "${architectures}" PARENT_SCOPE)
  set(TORCH_CUDA_OPTIONS ${codes} PARENT_SCOPE)
  if(NOT version MATCHES "release ([0-9.]+), (V[0-9.]+)")
    message(FATAL_ERROR "${TORCH_NVCC} --version does not say which release it is")
  endif()
  set(TORCH_CUDA_VERSION "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set(version "${CMAKE_MATCH_2}")
  set(TORCH_CUDA_COMPILER "nvcc ${version} ${codes}" PARENT_SCOPE)
endfunction()

# A header of the toolkit, which may be one prefix or a package for each part of it.
function(_torch_cuda_headers target variable header)
  get_filename_component(beside "${TORCH_NVCC}" DIRECTORY)
  find_path(${variable} ${header} HINTS ${_torch_cuda_roots} "${beside}/.."
    PATH_SUFFIXES include include/cccl targets/x86_64-linux/include targets/x86_64-linux/include/cccl ${ARGN})
  if(${variable})
    target_include_directories(${target} SYSTEM PRIVATE "${${variable}}")
  endif()
endfunction()

function(_torch_cuda_library target variable library)
  get_filename_component(beside "${TORCH_NVCC}" DIRECTORY)
  find_library(${variable} ${library} HINTS ${_torch_cuda_roots} "${beside}/.."
    PATH_SUFFIXES lib lib64 targets/x86_64-linux/lib REQUIRED)
  target_link_libraries(${target} PRIVATE "${${variable}}")
endfunction()

function(torch_cuda_link target vendor)
  if(vendor STREQUAL "cuda_cudart")
    _torch_cuda_headers(${target} TORCH_CUDA_RUNTIME_INCLUDE_DIR cuda_runtime.h REQUIRED)
    # Of the compiler, which the runtime's include.
    _torch_cuda_headers(${target} TORCH_CUDA_CRT_INCLUDE_DIR crt/host_defines.h)
    _torch_cuda_library(${target} TORCH_CUDA_RUNTIME_LIBRARY cudart)
  elseif(vendor STREQUAL "cuda_cccl")
    _torch_cuda_headers(${target} TORCH_CUDA_CCCL_INCLUDE_DIR cub/cub.cuh REQUIRED)
  elseif(vendor STREQUAL "libcublas")
    _torch_cuda_headers(${target} TORCH_CUDA_CUBLAS_INCLUDE_DIR cublas_v2.h REQUIRED)
    _torch_cuda_library(${target} TORCH_CUDA_CUBLAS_LIBRARY cublas)
  else()
    message(FATAL_ERROR "libraries.toml: ${target} wants '${vendor}', which TorchCuda.cmake does not know")
  endif()
endfunction()

function(torch_cuda_source target file source out)
  string(REPLACE "../" "__/" place "${source}")
  set(object "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${place}.o")
  get_filename_component(folder "${object}" DIRECTORY)
  # The target's include directories and definitions, as its other sources get them.
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(optimisation "$<$<CONFIG:Release>:-O3;-DNDEBUG>$<$<CONFIG:RelWithDebInfo>:-O2;-g;-DNDEBUG>$<$<CONFIG:Debug>:-g>")
  get_source_file_property(own "${file}" COMPILE_OPTIONS)
  if(NOT own)
    set(own "")
  endif()
  # The options of the language and -fPIC are those of extensions, too (torch/utils/_extension/toolkit.py says what else
  # differs, and why).
  # nvcc names symbols and intermediate files at random otherwise. Their folder goes into the object, so it is the same
  # one each time, and is there before nvcc runs.
  set(keep "${object}.keep")
  add_custom_command(
    OUTPUT "${object}"
    DEPENDS "${file}" "${TORCH_NVCC}"
    DEPFILE "${object}.d"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${keep}"
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${TORCH_NVCC}"
      -std=c++20 --expt-relaxed-constexpr --expt-extended-lambda ${TORCH_CUDA_OPTIONS} -Xfatbin -compress-all
      "--frandom-seed=${source}" --keep --keep-dir "${keep}"
      -ccbin "${CMAKE_CXX_COMPILER}"
      -Xcompiler -fPIC,-fvisibility=hidden,-fvisibility-inlines-hidden,-Wall,-ffp-contract=off
      "${optimisation}" ${own}
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      -MD -MF "${object}.d" -MT "${object}"
      -c "${file}" -o "${object}"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${keep}"
    COMMENT "Building CUDA object ${source}.o"
    COMMAND_EXPAND_LISTS
    VERBATIM)
  file(MAKE_DIRECTORY "${folder}")
  set(${out} "${object}" PARENT_SCOPE)
endfunction()
