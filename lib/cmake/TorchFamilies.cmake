# torch_add_library(NAME SOURCES file... [GENERATED file...] [KIT library] [CUDA])
# The target NAME, a shared object. A folder that sources stand in (src/reduce) is a family, which can be compiled
# apart; so can what codegen writes, as the family `generated`:
#
#   TORCH_FAMILY   one of them: the target is its objects, and nothing is linked
#   TORCH_OBJECTS  what has been compiled elsewhere, .../objects/<NAME>/<source>.o: each takes the place of its source,
#                  which need not be there, unless .../objects/<NAME>.txt says that it was compiled otherwise
#
# The family src/onednn is compiled otherwise where oneDNN is among TORCH_VENDOR.
#
# A generated file counts as generated/<file>. The objects are linked in the order of their sources' names, wherever
# they were compiled.
#
# KIT: the library in the folder beside this one whose family src/kit is linked, too: what TORCH_OBJECTS has of it,
# the objects of that library's target where it is built in the same graph, and the rest is compiled.
# CUDA: some sources may be .cu files (TorchCuda.cmake, which has been included).
include_guard()

function(torch_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CUDA" "KIT" "SOURCES;GENERATED")
  set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${CMAKE_CXX_FLAGS}\n")
  set(kit_compiler "${compiler}")
  if(arg_CUDA)
    string(APPEND compiler "${TORCH_CUDA_COMPILER}\n")
  endif()
  set(sources "")
  foreach(file IN LISTS arg_SOURCES)
    file(RELATIVE_PATH source "${CMAKE_CURRENT_SOURCE_DIR}" "${file}")
    list(APPEND sources "${source}")
    set(file_of_${source} "${file}")
  endforeach()
  foreach(file IN LISTS arg_GENERATED)
    get_filename_component(source "${file}" NAME)
    list(APPEND sources "generated/${source}")
    set(file_of_generated/${source} "${file}")
  endforeach()
  if(arg_KIT)
    file(GLOB kit CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/../${arg_KIT}/src/kit/*.cpp")
    foreach(file IN LISTS kit)
      get_filename_component(source "${file}" NAME)
      list(APPEND sources "../${arg_KIT}/src/kit/${source}")
      set(file_of_../${arg_KIT}/src/kit/${source} "${file}")
      if(TARGET ${arg_KIT})
        # Those of its objects that it has compiled itself.
        set(file_of_../${arg_KIT}/src/kit/${source}
          "$<FILTER:$<TARGET_OBJECTS:${arg_KIT}>,INCLUDE,/src/kit/${source}.o>")
      endif()
    endforeach()
  endif()

  # What is written about a family's objects: how they were compiled.
  set(compiler_of_onednn "${compiler}")
  if("oneDNN" IN_LIST TORCH_VENDOR)
    string(APPEND compiler_of_onednn "oneDNN\n")
  endif()

  if(TORCH_FAMILY)
    list(FILTER sources INCLUDE REGEX "^(src/)?${TORCH_FAMILY}/")
    if(NOT sources)
      message(FATAL_ERROR "${name}: TORCH_FAMILY='${TORCH_FAMILY}': there is no source of such a family")
    endif()
    add_library(${name} OBJECT)
    set(objects "")
    foreach(source IN LISTS sources)
      target_sources(${name} PRIVATE "${file_of_${source}}")
      if(source MATCHES "\\.cu$")
        torch_cuda_source(${name} "${file_of_${source}}" "${source}" object)
        list(APPEND objects "${object}")
      endif()
    endforeach()
    if(objects)
      add_custom_target(${name}_cuda ALL DEPENDS ${objects})
    endif()
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE CXX)
    if(TORCH_FAMILY STREQUAL "onednn")
      set(compiler "${compiler_of_onednn}")
    endif()
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}.txt" "${compiler}")
    return()
  endif()

  foreach(object IN LISTS TORCH_OBJECTS)
    if(object MATCHES "^(.*/objects/${name})/(.*)\\.o$")
      set(source "${CMAKE_MATCH_2}")
      set(expected "${compiler}")
      if(source MATCHES "^src/onednn/")
        set(expected "${compiler_of_onednn}")
      endif()
    elseif(arg_KIT AND object MATCHES "^(.*/objects/${arg_KIT})/(src/kit/.*)\\.o$")
      set(source "../${arg_KIT}/${CMAKE_MATCH_2}")
      set(expected "${kit_compiler}")
    else()
      continue()
    endif()
    file(READ "${CMAKE_MATCH_1}.txt" compiled_with)
    if(compiled_with STREQUAL expected)
      set(object_of_${source} "${object}")
      list(APPEND sources "${source}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES sources)
  list(SORT sources)
  add_library(${name} SHARED)
  foreach(source IN LISTS sources)
    if(DEFINED object_of_${source})
      set_source_files_properties("${object_of_${source}}" PROPERTIES EXTERNAL_OBJECT TRUE)
      target_sources(${name} PRIVATE "${object_of_${source}}")
    elseif(source MATCHES "\\.cu$")
      torch_cuda_source(${name} "${file_of_${source}}" "${source}" object)
      set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
      target_sources(${name} PRIVATE "${object}")
    else()
      target_sources(${name} PRIVATE "${file_of_${source}}")
    endif()
  endforeach()
  # An object is the same whether or not it was compiled apart.
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX DEFINE_SYMBOL "")
endfunction()
