# cmake -DNAME=TH -DNEEDS="A;B" -DPREFIX=DIR -P write-config.cmake
# Writes PREFIX/lib/cmake/NAME/NAMEConfig.cmake without building anything: what an interface needs.
configure_file("${CMAKE_CURRENT_LIST_DIR}/LibraryConfig.cmake.in"
  "${PREFIX}/lib/cmake/${NAME}/${NAME}Config.cmake" @ONLY)
