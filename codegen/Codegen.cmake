# torch_codegen(TARGET [HEADERS library...])
# Sets TARGET_GENERATED to a folder with what `python -m codegen TARGET` writes, and makes the target
# codegen_TARGET, which writes it again when a declaration, the generator or a header of one of these C
# libraries has changed. Written files are stable: what did not change compiles nothing.
include_guard()
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
get_filename_component(_codegen_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

function(torch_codegen name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS")
  set(folder "${CMAKE_BINARY_DIR}/generated/${name}")
  set(command "${Python3_EXECUTABLE}" -B -m codegen ${name} --out "${folder}" --clean)
  set(read codegen/*.py codegen/*.cwrap)
  if(arg_HEADERS)
    list(APPEND command --cpp "${CMAKE_C_COMPILER}")
    foreach(library IN LISTS arg_HEADERS)
      list(APPEND read lib/${library}/include/*.h)
    endforeach()
  endif()
  list(TRANSFORM read PREPEND "${_codegen_root}/")
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${read})
  list(FILTER inputs EXCLUDE REGEX "/codegen/tests/")

  # Which files there are is known once they are written: the first time now, afterwards by Ninja.
  file(GLOB_RECURSE outputs CONFIGURE_DEPENDS "${folder}/*")
  if(NOT outputs)
    execute_process(COMMAND ${command} WORKING_DIRECTORY "${_codegen_root}"
      RESULT_VARIABLE status ERROR_VARIABLE reason)
    if(NOT status EQUAL 0)
      string(REPLACE "\n" "\n  " reason "${reason}")  # what is indented is not wrapped
      message(FATAL_ERROR "codegen ${name} failed:\n  ${reason}")
    endif()
    file(GLOB_RECURSE outputs "${folder}/*")
  endif()
  set(stamp "${CMAKE_BINARY_DIR}/generated/${name}.stamp")
  add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${outputs}
    COMMAND ${command}
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${inputs}
    WORKING_DIRECTORY "${_codegen_root}"
    COMMENT "codegen ${name}"
    VERBATIM)
  add_custom_target(codegen_${name} DEPENDS "${stamp}")
  set(${name}_GENERATED "${folder}" PARENT_SCOPE)
endfunction()
