# `make install` of a whole build: the parts go to a prefix of their own in the build folder, and setup.py
# makes the Python package of them and installs it, so that it is the same as pip's and pip can remove it.
#
#   torch_package_begin()   before the first part's install rules
#   torch_package_end()     after the last one's
#
# Without CMAKE_INSTALL_PREFIX it goes into the site-packages of Python3_EXECUTABLE, else into those below the
# prefix; DESTDIR comes before both. A component that is named on the command line is installed as it is.
include_guard()
set(_torch_stage "${CMAKE_BINARY_DIR}/stage")
# What CMake prints by itself, in the first run alone, and that may end with a refused option.
if(CMAKE_INSTALL_PREFIX_INITIALIZED_TO_DEFAULT)
  set(TORCH_DEFAULT_PREFIX "${CMAKE_INSTALL_PREFIX}" CACHE INTERNAL "The prefix that nobody has chosen")
endif()

function(torch_package_begin)
  if(CMAKE_INSTALL_PREFIX STREQUAL TORCH_DEFAULT_PREFIX)
    set(CMAKE_INSTALL_PREFIX "${_torch_prefix}" CACHE PATH "Where torch is installed" FORCE)
    set(TORCH_DEFAULT_PREFIX "${_torch_prefix}" CACHE INTERNAL "The prefix that nobody has chosen")
  endif()
  if(_torch_external AND CMAKE_INSTALL_PREFIX STREQUAL _torch_prefix)
    message(WARNING "${_torch_external}")
  endif()
  install(CODE "
    set(torch_prefix \"\${CMAKE_INSTALL_PREFIX}\")
    set(torch_root \"\$ENV{DESTDIR}\")
    set(ENV{DESTDIR} \"\")
    set(CMAKE_INSTALL_PREFIX [==[${_torch_stage}]==])
    file(REMOVE_RECURSE [==[${_torch_stage}]==] [==[${CMAKE_BINARY_DIR}/package]==])
    file(MAKE_DIRECTORY [==[${_torch_stage}/lib]==])" COMPONENT package)
endfunction()

function(torch_package_end)
  list(JOIN TORCH_PREBUILT ":" prebuilt)
  install(CODE "
    set(CMAKE_INSTALL_PREFIX \"\${torch_prefix}\")
    set(CMAKE_INSTALL_MANIFEST_FILES \"\")  # pip keeps the account
    set(places \"\")
    if(NOT torch_prefix STREQUAL [==[${_torch_prefix}]==])
      list(APPEND places \"--prefix=\${torch_prefix}\")
    endif()
    if(torch_root)
      list(APPEND places \"--root=\${torch_root}\")
    endif()
    execute_process(
      COMMAND \"${CMAKE_COMMAND}\" -E env \"TORCH_BUILD_VERSION=${TORCH_BUILD_VERSION}\"
        \"TORCH_PACKAGE_NAME=${TORCH_PACKAGE_NAME}\" \"CMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}\" DESTDIR=
        \"PYTHONPYCACHEPREFIX=${CMAKE_BINARY_DIR}/package/caches\"
        [==[${Python3_EXECUTABLE}]==] -W ignore setup.py --quiet
        build [==[--build-base=${CMAKE_BINARY_DIR}/package]==] [==[--built=${_torch_stage}:${prebuilt}]==]
        install --skip-build \${places}
      WORKING_DIRECTORY [==[${CMAKE_SOURCE_DIR}]==]
      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT package)
endfunction()
