# torch_precompile(NAME header...) has the sources of NAME that are compiled here begin with these headers, which are
# compiled once, and not at all where objects take the place of all sources (TorchFamilies.cmake) or none wants them.
include_guard()

function(torch_precompile name)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources EXCLUDE REGEX "\\.o$")
  set(wanted FALSE)
  foreach(source IN LISTS sources)
    get_source_file_property(skipped "${source}" SKIP_PRECOMPILE_HEADERS)
    if(NOT skipped)
      set(wanted TRUE)
    endif()
  endforeach()
  if(wanted)
    target_precompile_headers(${name} PRIVATE ${ARGN})
    target_compile_options(${name} PRIVATE -fpch-preprocess)  # for ccache
  endif()
endfunction()
