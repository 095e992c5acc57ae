# torch_library(NAME [GENERATED file...])
# Makes lib<NAME>.so.1 from src/ and what is generated (TorchFamilies.cmake), the way all backend libraries
# are made: hidden symbols, $ORIGIN before LD_LIBRARY_PATH, no undefined symbols, headers and a CMake
# package installed.
# TORCH_NEEDS, TORCH_VENDOR and TORCH_KIT come from whoever drives the build; a library that is built alone
# looks itself up in libraries.toml.
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/TorchFamilies.cmake")
get_filename_component(_torch_lib "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(_torch_cmake "${CMAKE_CURRENT_LIST_DIR}")

# The text after `KEY =` in table [NAME] of libraries.toml. A value there stands on one line.
function(_torch_toml_value name key out)
  file(STRINGS "${_torch_lib}/libraries.toml" lines)
  set(inside FALSE)
  set(result "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^\\[(.*)\\]$")
      string(COMPARE EQUAL "${CMAKE_MATCH_1}" "${name}" inside)
    elseif(inside AND line MATCHES "^${key} *= *(.*)$")
      set(result "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# torch_toml_list(NAME KEY OUT): the list KEY of library NAME; empty if there is none.
function(torch_toml_list name key out)
  _torch_toml_value(${name} ${key} value)
  string(REGEX MATCHALL "[A-Za-z0-9_-]+" result "${value}")
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# torch_toml_string(NAME KEY OUT): the string KEY of library NAME; empty if there is none.
function(torch_toml_string name key out)
  _torch_toml_value(${name} ${key} value)
  string(REGEX REPLACE "^\"(.*)\"$" "\\1" result "${value}")
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# torch_library_order(OUT): every library of libraries.toml that needs no CUDA, each after all that it needs.
function(torch_library_order out)
  file(STRINGS "${_torch_lib}/libraries.toml" tables REGEX "^\\[.*\\]$")
  list(TRANSFORM tables REPLACE "^\\[(.*)\\]$" "\\1")
  set(names "")
  foreach(name IN LISTS tables)
    torch_toml_string(${name} cuda cuda)
    if(NOT cuda STREQUAL "true")
      list(APPEND names ${name})
    endif()
  endforeach()
  set(ordered "")
  while(names)
    set(left "")
    foreach(name IN LISTS names)
      torch_toml_list(${name} needs needs)
      list(REMOVE_ITEM needs "" ${ordered})
      if(needs)
        list(APPEND left ${name})
      else()
        list(APPEND ordered ${name})
      endif()
    endforeach()
    if("${left}" STREQUAL "${names}")
      message(FATAL_ERROR "libraries.toml: ${left} need each other, or a library that is not there")
    endif()
    set(names ${left})
  endwhile()
  set(${out} "${ordered}" PARENT_SCOPE)
endfunction()

# Links one vendor package, by its name in libraries.toml.
function(_torch_link_vendor target vendor)
  if(vendor STREQUAL "openmp")
    find_package(OpenMP REQUIRED COMPONENTS CXX)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  elseif(vendor STREQUAL "openblas")
    find_path(OPENBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas openblas-openmp REQUIRED)
    find_library(OPENBLAS_LIBRARY openblas REQUIRED)
    target_include_directories(${target} SYSTEM PRIVATE "${OPENBLAS_INCLUDE_DIR}")
    target_link_libraries(${target} PRIVATE "${OPENBLAS_LIBRARY}")
  elseif(vendor STREQUAL "libhwy")
    find_path(HWY_INCLUDE_DIR hwy/highway.h REQUIRED)
    find_library(HWY_LIBRARY hwy REQUIRED)
    find_library(HWY_CONTRIB_LIBRARY hwy_contrib REQUIRED)
    target_include_directories(${target} SYSTEM PRIVATE "${HWY_INCLUDE_DIR}")
    if(HWY_LIBRARY MATCHES "\\.a$")
      target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)  # an archive's symbols stay inside
    else()
      target_compile_definitions(${target} PRIVATE HWY_SHARED_DEFINE)
    endif()
    target_link_libraries(${target} PRIVATE "${HWY_CONTRIB_LIBRARY}" "${HWY_LIBRARY}")
  elseif(vendor STREQUAL "pocketfft")
    find_path(POCKETFFT_INCLUDE_DIR pocketfft_hdronly.h PATH_SUFFIXES gemmi/third_party REQUIRED)
    target_include_directories(${target} SYSTEM PRIVATE "${POCKETFFT_INCLUDE_DIR}")
  elseif(COMMAND torch_cuda_link)
    torch_cuda_link(${target} ${vendor})
  else()
    message(FATAL_ERROR "libraries.toml: ${target} wants vendor '${vendor}', "
      "which ${_torch_cmake}/TorchLibrary.cmake does not know")
  endif()
endfunction()

function(torch_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "GENERATED")
  if(NOT DEFINED TORCH_NEEDS)
    torch_toml_list(${name} needs TORCH_NEEDS)
    torch_toml_list(${name} vendor TORCH_VENDOR)
    torch_toml_string(${name} kit TORCH_KIT)
  endif()

  set(patterns src/*.cpp)
  set(options "")
  if(TORCH_KIT)
    list(APPEND options KIT ${TORCH_KIT})
  endif()
  if("cuda_cudart" IN_LIST TORCH_VENDOR)
    # Read here alone, so that an edit of it compiles nothing of the others.
    include("${_torch_cmake}/TorchCuda.cmake")
    torch_cuda_toolkit()
    list(APPEND patterns src/*.cu)
    list(APPEND options CUDA)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  torch_add_library(${name} ${options} SOURCES ${sources} GENERATED ${arg_GENERATED})
  add_library(${name}::${name} ALIAS ${name})
  target_compile_features(${name} PUBLIC cxx_std_20)
  # No contraction: the same source gives the same numbers on every target that Highway picks.
  target_compile_options(${name} PRIVATE -Wall -Wextra -ffp-contract=off -fno-math-errno)
  target_include_directories(${name}
    PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>"
    PRIVATE src)
  if("CUDA" IN_LIST options)
    target_compile_definitions(${name} PRIVATE "TORCH_CUDA_ARCHITECTURES=\"${TORCH_CUDA_ARCHITECTURES}\"")
  endif()
  if(TORCH_KIT)
    target_include_directories(${name} PRIVATE "${_torch_lib}/${TORCH_KIT}/src")
  endif()
  target_link_options(${name} PRIVATE -Wl,--disable-new-dtags -Wl,-z,defs)
  set_target_properties(${name} PROPERTIES
    SOVERSION 1
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    BUILD_RPATH_USE_ORIGIN ON
    INSTALL_RPATH "$ORIGIN")

  foreach(need IN LISTS TORCH_NEEDS)
    if(NOT TARGET ${need}::${need})  # built in the same graph
      find_package(${need} CONFIG REQUIRED)
    endif()
    target_link_libraries(${name} PUBLIC ${need}::${need})
  endforeach()
  foreach(vendor IN LISTS TORCH_VENDOR)
    _torch_link_vendor(${name} ${vendor})
  endforeach()

  if(TORCH_FAMILY)
    return()
  endif()
  set(NAME ${name})
  set(NEEDS "${TORCH_NEEDS}")
  configure_file("${_torch_cmake}/LibraryConfig.cmake.in" "${name}Config.cmake" @ONLY)
  if("CUDA" IN_LIST options)
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/cuda.txt" "${TORCH_CUDA_VERSION}\n")
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/cuda.txt" DESTINATION share/torch/cuda RENAME ${name}.txt)
  endif()
  install(TARGETS ${name} LIBRARY DESTINATION lib)
  install(DIRECTORY include/ DESTINATION include)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}Config.cmake" DESTINATION lib/cmake/${name})
endfunction()

# torch_kernels(NAME): compiles the library as befits loops over elements.
function(torch_kernels name)
  # -O3 vectorises the plain loops. Without -fno-trapping-math a loop with a condition stays scalar,
  # lest it raise a floating-point exception flag that nobody reads.
  target_compile_options(${name} PRIVATE -O3 -fno-trapping-math)
  # Calls inside the library stay inside: no detour by the symbol table, and nobody can come between.
  target_compile_options(${name} PRIVATE -fno-semantic-interposition)
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
endfunction()
