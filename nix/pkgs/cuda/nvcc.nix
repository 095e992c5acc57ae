# nvcc and the programs that it starts, in the one prefix in which they look for each other. It brings no host
# compiler; callers say -ccbin.
{
  lib,
  stdenv,
  autoPatchelfHook,
  fetchWheel,
  unpackWheel,
}:
let
  wheelOf = name: fetchWheel (import ./wheels.nix).${name}.wheel;
  nvcc = wheelOf "cuda_nvcc";
in
stdenv.mkDerivation {
  pname = "cuda_nvcc";
  inherit (nvcc) version;
  srcs = [
    nvcc
    (wheelOf "libnvvm")
    (wheelOf "cuda_crt")
  ];
  unpackCmd = unpackWheel { several = true; };
  sourceRoot = "wheel/nvidia/cu13";
  nativeBuildInputs = [ autoPatchelfHook ];
  buildInputs = [ stdenv.cc.cc.lib ];
  # As released, but for loader and rpaths. NVIDIA built it in a folder that is called as ours is.
  noAuditTmpdir = true;
  dontStrip = true;
  dontPatchELF = true;
  dontConfigure = true;
  dontBuild = true;
  installPhase = ''
    runHook preInstall
    mkdir -p $out
    cp -r bin nvvm include lib $out/
    chmod 755 $out/bin/[!c]* $out/bin/cudafe++ $out/nvvm/bin/* $out/lib/*.so.*
    # They start all else by system().
    mkdir -p $out/libexec
    $CC -O2 -shared -fPIC -DSHELL='"${stdenv.shell}"' ${./shell.c} -o $out/libexec/libshell.so
    for program in nvcc nvlink; do patchelf --add-needed $out/libexec/libshell.so $out/bin/$program; done
    ln -s libnvvm.so.4 $out/lib/libnvvm.so
    find $out -name '__init__.py' -delete
    runHook postInstall
  '';
  meta = {
    description = "Compiler of CUDA C++";
    license = lib.licenses.unfree;
    mainProgram = "nvcc";
    platforms = [ "x86_64-linux" ];
  };
}
