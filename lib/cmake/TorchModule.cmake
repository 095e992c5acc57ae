# What the extension modules of csrc/ have in common. Their CMakeLists.txt include this after project():
#   torch_modules_need(LIBRARY...)                                        Python, and packages of ours
#   torch_find_pybind11()                                                 sets PYBIND11_INCLUDE_DIR
#   torch_module(NAME SOURCES FILE... LIBRARIES TARGET... [HEADERS FOLDER...] [SYSTEM FOLDER...] [OPTIONS FLAG...])
# HEADERS are folders of ours, SYSTEM those of others. The module is installed in python/torch, beside its libraries in
# torch/lib.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

macro(torch_modules_need)
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
  foreach(need ${ARGN})
    if(NOT TARGET ${need}::${need})
      find_package(${need} CONFIG REQUIRED)
    endif()
  endforeach()
endmacro()

function(torch_find_pybind11)
  if(NOT EXISTS "${PYBIND11_INCLUDE_DIR}/pybind11/pybind11.h") # given, or found before and still there
    execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import pybind11; print(pybind11.get_include())"
      OUTPUT_VARIABLE pybind11 OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    unset(PYBIND11_INCLUDE_DIR CACHE)
    find_path(PYBIND11_INCLUDE_DIR pybind11/pybind11.h HINTS "${pybind11}" REQUIRED)
  endif()
endfunction()

function(torch_module name)
  cmake_parse_arguments(PARSE_ARGV 1 module "" "" "SOURCES;LIBRARIES;HEADERS;SYSTEM;OPTIONS")
  Python3_add_library(${name} MODULE WITH_SOABI ${module_SOURCES})
  target_include_directories(${name} SYSTEM PRIVATE ${module_SYSTEM})
  target_include_directories(${name} PRIVATE ${module_HEADERS})
  target_link_libraries(${name} PRIVATE ${module_LIBRARIES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE -Wall -Wextra ${module_OPTIONS})
  # DT_RPATH, which the loader consults before LD_LIBRARY_PATH; --no-as-needed: libtorch_python's interface has no symbols
  # that the linker could see a need for.
  target_link_options(${name} PRIVATE -Wl,--disable-new-dtags -Wl,--no-as-needed)
  set_target_properties(${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON INSTALL_RPATH "$ORIGIN/lib" INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${name} LIBRARY DESTINATION python/torch)
endfunction()
