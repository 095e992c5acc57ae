# Every input is a prefix in which CMake looks.
addCMakeParams() { addToSearchPath CMAKE_PREFIX_PATH "$1"; }

cmakeConfigurePhase() {
  runHook preConfigure
  if [ -z "${dontUseCmakeBuildDir:-}" ]; then
    mkdir -p "${cmakeBuildDir:=build}"
    cd "$cmakeBuildDir"
    cmakeDir=${cmakeDir:-..}
  fi

  # Ours come first, so that a package may say otherwise.
  local flags=(
    "-DCMAKE_INSTALL_PREFIX=$prefix"
    "-DCMAKE_BUILD_TYPE=${cmakeBuildType:-Release}"
    -DCMAKE_INSTALL_LIBDIR=lib
    # The rpath at install is that of the libraries linked; fixup leaves what is needed.
    -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=ON
    -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON
    # Else CMake looks for /etc/debian_version to learn whether libraries are executable.
    -DCMAKE_INSTALL_SO_NO_EXE=0
    # Nothing outside the inputs.
    -DCMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    -DCMAKE_FIND_USE_SYSTEM_PACKAGE_REGISTRY=OFF
    "-DCMAKE_SYSTEM_IGNORE_PREFIX_PATH=/;/usr;/usr/local"
  )
  if [ -z "${doCheck:-}" ]; then flags+=(-DBUILD_TESTING=OFF); fi
  if [ "${buildPhase:-}" = ninjaBuildPhase ]; then flags+=(-GNinja); fi
  concatTo flags cmakeFlags cmakeFlagsArray
  echo "cmake flags: ${flags[*]}"
  cmake "$cmakeDir" "${flags[@]}"
  runHook postConfigure
}

if [ -z "${dontUseCmakeConfigure:-}" ] && [ -z "${configurePhase:-}" ]; then
  configurePhase=cmakeConfigurePhase
fi
addEnvHooks "$hostOffset" addCMakeParams
