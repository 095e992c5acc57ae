# The options of tools/option_table.py as they were given to CMake: -DUSE_CUDA=OFF, -DPYTHON_EXECUTABLE=…
# Finds Python, sets what was chosen, and stops with a sentence for each that cannot be had.
include_guard()

# The seeds' name for CMake's own. Another Python than last time is looked at anew by find_package.
if(PYTHON_EXECUTABLE)
  if(NOT IS_ABSOLUTE "${PYTHON_EXECUTABLE}")
    find_program(_torch_python NAMES "${PYTHON_EXECUTABLE}" REQUIRED NO_CACHE  # as the shell would
      NO_PACKAGE_ROOT_PATH NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
  else()
    set(_torch_python "${PYTHON_EXECUTABLE}")
  endif()
  if(NOT EXISTS "${_torch_python}")
    message(FATAL_ERROR "PYTHON_EXECUTABLE=${PYTHON_EXECUTABLE}: there is no such program")
  endif()
  set(Python3_EXECUTABLE "${_torch_python}")
endif()
set(Python3_FIND_STRATEGY LOCATION) # the first on PATH, not the newest
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)

function(_torch_options_ask out)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "CC=${CMAKE_C_COMPILER}" "CXX=${CMAKE_CXX_COMPILER}"
      "${Python3_EXECUTABLE}" -B -m tools.for_cmake ${ARGN}
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE reason)
  if(NOT status EQUAL 0)
    string(REPLACE "\n" "\n  " reason "${reason}")  # what is indented is not wrapped
    message(FATAL_ERROR "options:\n  ${reason}")
  endif()
  set(${out} "${said}" PARENT_SCOPE)
endfunction()

_torch_options_ask(_torch_names names)
get_cmake_property(_torch_variables CACHE_VARIABLES)
set(_torch_given "")
foreach(_torch_name IN LISTS _torch_variables)
  get_property(_torch_help CACHE ${_torch_name} PROPERTY HELPSTRING)
  if(_torch_name MATCHES "${_torch_names}" AND _torch_help MATCHES "^No help, ")  # of the command line
    string(APPEND _torch_given "${_torch_name}=${${_torch_name}}\n")
  endif()
endforeach()
file(WRITE "${CMAKE_BINARY_DIR}/options.txt" "${_torch_given}")
if(DEFINED CACHE{TORCH_PARTS})
  _torch_options_ask(_torch_code "${CMAKE_BINARY_DIR}/options.txt" parts)
else()
  _torch_options_ask(_torch_code "${CMAKE_BINARY_DIR}/options.txt" whole)
endif()
cmake_language(EVAL CODE "${_torch_code}")
# What decides is looked at again when it changes.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/version.txt")
