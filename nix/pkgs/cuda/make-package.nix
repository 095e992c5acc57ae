# mkCudaPackage { pname; ... } -> derivation, what one of NVIDIA's wheels (wheels.nix) holds, with nixpkgs' outputs
#
#   opens    packages or folders with libraries that its own open by name while they run, which no DT_NEEDED says
#
# dev propagates what compiling takes (include, lib), so buildInputs = [ package ] is enough. Nothing in lib refers to
# dev or include.
{
  lib,
  stdenv,
  autoPatchelfHook,
  fetchWheel,
  unpackWheel,
}:
let
  wheels = import ./wheels.nix;
in
{
  pname,
  description,
  opens ? [ ],
  buildInputs ? [ ],
  propagatedBuildInputs ? [ ],
  license ? lib.licenses.unfree,
}:
let
  inherit (wheels.${pname}) folder wheel;
  src = fetchWheel wheel;
in
stdenv.mkDerivation {
  inherit pname src;
  inherit (src) version;
  outputs = [
    "out"
    "dev"
    "include"
    "lib"
    "static"
  ];
  unpackCmd = unpackWheel { };
  nativeBuildInputs = [ autoPatchelfHook ];
  buildInputs = [ stdenv.cc.cc.lib ] ++ buildInputs;
  # As released, but for rpaths. NVIDIA built it in a folder that is called as ours is.
  noAuditTmpdir = true;
  dontStrip = true;
  dontPatchELF = true;
  dontConfigure = true;
  dontBuild = true;
  installPhase = ''
    runHook preInstall
    mkdir -p $out $dev $include $lib $static
    unset outputDev # fixup would bring all headers there
    cd ${folder}
    if [ -d include ]; then cp -r include $include/; fi
    # Where CMake, and nvcc without its profile, look for them.
    if [ -d $include/include/cccl ]; then
      cp -r $include/include/cccl/* $include/include/
      rm -r $include/include/cccl
    fi
    find $include -name '__init__.py' -delete
    if [ -d lib ]; then
      mkdir -p $lib/lib
      find lib -maxdepth 1 -name '*.so*' -exec cp {} $lib/lib/ \;
      chmod 755 $lib/lib/*.so.* 2>/dev/null || rmdir $lib/lib
    fi
    if [ -d lib/cmake ]; then
      mkdir -p $dev/lib
      cp -r lib/cmake $dev/lib/
      # They look beside themselves, and the headers are another output.
      find $dev/lib/cmake -name '*-header-search.cmake' -exec \
        sed -i "s,\''${CMAKE_CURRENT_LIST_DIR}/\''${from_install_prefix}/include\"$,$include/include\"," {} +
    fi
    if compgen -G 'lib/*.a' >/dev/null; then install -Dm644 -t $static/lib lib/*.a; fi
    # Linkers want libX.so.
    for file in $lib/lib/lib*.so.*; do
      [ -e "$file" ] || continue
      link=''${file%.so.*}.so
      [ -e $link ] || ln -s ''${file##*/} $link
    done
    runHook postInstall
  '';
  # Behind autoPatchelf, which keeps of an rpath what DT_NEEDED asks for.
  dontAutoPatchelf = true;
  postFixup = ''
    autoPatchelfPostFixup
    opens="${lib.concatMapStringsSep ":" (place: if lib.isDerivation place then "${lib.getLib place}/lib" else place) opens}"
    if [ -n "$opens" ]; then
      for file in $lib/lib/*.so.*; do
        old=$(patchelf --print-rpath $file)
        patchelf --force-rpath --set-rpath "''${old:+$old:}$opens" $file
      done
    fi
    for output in $out $dev; do
      mkdir -p $output/nix-support
      echo $include $lib $propagatedBuildInputs > $output/nix-support/propagated-build-inputs
    done
  '';
  inherit propagatedBuildInputs;
  meta = {
    inherit description license;
    platforms = [ "x86_64-linux" ];
  };
}
