# torch_precompile(NAME header...) has the sources of NAME that are compiled here begin with these headers, which are
# compiled once, and not at all where objects take the place of all sources (TorchFamilies.cmake).
include_guard()

function(torch_precompile name)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources EXCLUDE REGEX "\\.o$")
  if(sources)
    target_precompile_headers(${name} PRIVATE ${ARGN})
    target_compile_options(${name} PRIVATE -fpch-preprocess)  # for ccache
  endif()
endfunction()
