# NCCL: NVIDIA's wheel, or with fromSource = true what its source gives, for cudaCapabilities only. One of the two, never
# both: a build that sees the other's headers mixes their versions.
{
  lib,
  backendStdenv,
  cccl,
  cuda_cudart,
  cuda_nvcc,
  cudaMajorMinorVersion,
  fetchLocked,
  flags,
  lock,
  mkCudaPackage,
  python3,
  fromSource ? false,
  cudaCapabilities ? flags.cudaCapabilities,
}:
let
  description = "Collective communication between devices";
  license = lib.licenses.bsd3;
  # Of the driver; NixOS has it here.
  driver = "/run/opengl-driver/lib";
  source = lock.sources.nvidia-nccl;

  released = mkCudaPackage {
    pname = "nccl";
    opens = [ driver ];
    inherit description license;
  };

  built = backendStdenv.mkDerivation {
    pname = "nccl";
    version = lib.head (lib.splitString "-" source.version);
    src = fetchLocked {
      kind = "deb";
      inherit (source) path sha256;
    };
    outputs = [
      "out"
      "dev"
    ];
    nativeBuildInputs = [
      cuda_nvcc
      python3
    ];
    buildInputs = [
      cccl
      cuda_cudart
    ];
    postPatch = ''
      patchShebangs src/device src/misc
      # Not every sandbox has a `which`.
      substituteInPlace src/device/Makefile --replace-fail 'which python3' 'type python3'
      # nvcc names symbols and intermediate files at random otherwise.
      for kind in '$(NVCUFLAGS) -dc' '$(NVCUFLAGS) -dw' '$(NVCUFLAGS_SYM) $3 -dw'; do
        substituteInPlace src/device/Makefile \
          --replace-fail "$kind \$2" "$kind --frandom-seed=\$(notdir \$1) --keep --keep-dir \$1.keep \$2"
      done
      substituteInPlace src/device/Makefile --replace-fail 'mkdir -p $(dir $1);' 'mkdir -p $(dir $1) $1.keep;'
    '';
    # It has no profile that would say so.
    env.NVCC_PREPEND_FLAGS = toString (
      map (package: "-I${lib.getInclude package}/include") [
        cuda_cudart
        cccl
      ]
    );
    makeFlags = [
      "NVCC=${cuda_nvcc}/bin/nvcc"
      "CUDA_VERSION=${cudaMajorMinorVersion}"
      "CUDA_INC=${lib.getInclude cuda_cudart}/include"
      "CUDA_LIB=${lib.getOutput "static" cuda_cudart}/lib"
    ];
    preBuild = ''
      makeFlagsArray+=(NVCC_GENCODE="${(flags.override { inherit cudaCapabilities; }).gencodeString}")
    '';
    buildFlags = [ "src.lib" ];
    installPhase = ''
      runHook preInstall
      mkdir -p $out/lib
      cp -r build/include $out/
      cp -P build/lib/libnccl.so* $out/lib/
      runHook postInstall
    '';
    dontPatchELF = true;
    postFixup = ''
      library=$(realpath $out/lib/libnccl.so)
      patchelf --force-rpath --set-rpath "$(patchelf --print-rpath $library):${driver}" $library
    '';
    meta = {
      inherit description license;
      platforms = [ "x86_64-linux" ];
    };
  };
in
if fromSource then built else released
