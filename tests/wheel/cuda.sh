# Tests of the wheel with CUDA, run by nix/checks/wheel-cuda.nix with readelf, patchelf and a compiler in PATH; WHEEL and the
# others are run.sh's, but for TOOLKIT and NCCL: the folders lib of what stands in for NVIDIA's wheels.
# Usage: cuda.sh TESTS, the folder tests/ of the repository.
. "$1/wheel/functions.sh"

# ---- what it is ------------------------------------------------------------------------------------
set -f # the stars in BESIDE are no files
case ${WHEEL##*/} in *+th1.cu130-*) pass "${WHEEL##*/}" ;; *) echo "${WHEEL##*/} does not say for which CUDA"; exit 1 ;; esac
check "$WHEEL" || { cat complaints; exit 1; }
pass "check.py: $(cat complaints)"
spoilt requirement "METADATA does not require nvidia-cublas==13.0.*"
spoilt beside "torch/lib/libTHC.so.1 has the RPATH ['\$ORIGIN'], expected is \$ORIGIN:\$ORIGIN/../../nvidia/cu13/lib"
spoilt inside "torch/lib/libcudart.so.13 belongs to another distribution"
set +f

# ---- what it does ----------------------------------------------------------------------------------
bare
install "$WHEEL"
must "Successfully installed torch-" pip.txt
site=$(bare/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
quietly output.txt env LD_LIBRARY_PATH="$HOST_LIB" bare/bin/python "$tests/wheel/device.py" --without-toolkit
pass "without the toolkit: $(cat output.txt)"
mkdir -p "$site/nvidia/cu13/lib" "$site/nvidia/nccl/lib"
cp "$TOOLKIT"/lib*.so.* "$site/nvidia/cu13/lib"
cp "$NCCL"/lib*.so.* "$site/nvidia/nccl/lib"
quietly output.txt env LD_LIBRARY_PATH="$HOST_LIB" bare/bin/python "$tests/wheel/device.py"
pass "beside it: $(cat output.txt)"

# ---- stray libraries -------------------------------------------------------------------------------
decoys libcudart.so.13 libcublas.so.13 libcublasLt.so.13 libnccl.so.2 libnvrtc.so.13 libTHC.so.1 libTHCUNN.so.1 libTHCS.so.1 \
  libtorch_cuda.so.1 libTH.so.1
stray immune "decoys in LD_LIBRARY_PATH" device.py
# What sonames cannot do (docs/wheel.md says so).
stray falls "libcudart.so.13 loaded before" device.py --preload "$PWD/decoys/libcudart.so.13"
# The controls: each library alone, with a wheel that looks for it in the same place, but after LD_LIBRARY_PATH.
for file in "$site"/torch/lib/lib{THC,torch_cuda}.so.1 "$site"/torch/_{nccl,nvrtc}.*.so; do
  patchelf --set-rpath "$(patchelf --print-rpath "$file")" "$file"
  readelf -d "$file" | grep -q RUNPATH
done
quietly output.txt env LD_LIBRARY_PATH="$HOST_LIB" bare/bin/python "$tests/wheel/device.py"
for soname in libcudart.so.13 libcublas.so.13 libnccl.so.2 libnvrtc.so.13; do
  rm -r decoys
  decoys $soname
  stray falls "control with a RUNPATH, $soname in LD_LIBRARY_PATH" device.py
done
echo "$passed passed, 0 failed"
