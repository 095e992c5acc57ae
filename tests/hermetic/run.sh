# The decoy world, run by nix/checks/hermetic.nix: PYTHON is the interpreter with torch, PACKAGE the
# composed package, SITE_PYTHON an interpreter with numpy alone. CUDA=1: the package has what CUDA adds, and that is
# computed with; a decoy for each library that it links, and a control for each. Writes report.txt.
set -eu
here=$1
world=$PWD/world
export DECOY_LOG=$PWD/decoys.log
mkdir -p "$world/lib" "$world/python" "$world/include"

# What CUDA adds, and the toolkit's libraries that it is linked with.
added=
if [ "${CUDA:-}" ]; then
  added=$(find "$PACKAGE" -name '*.so*' -type f -exec patchelf --print-needed {} \; |
    sed -n 's,.*/,,; /^lib\(THC\|torch_cuda\|cu\|nccl\|nv\)/p' | sort -u)
  for soname in libTHC.so.1 libTHCUNN.so.1 libTHCS.so.1 libtorch_cuda.so.1 libcublas.so.13 libcudart.so.13 libnccl.so.2 libnvrtc.so.13; do
    case " $(echo $added) " in *" $soname "*) ;; *) echo "$soname is not linked; these are: $added" && exit 1 ;; esac
  done
fi
# By which names a set has BLAS and LAPACK, the library that is linked with them knows.
blas=$(patchelf --print-needed "$PACKAGE/lib/libTH.so.1" | sed -n 's,.*/,,; /blas\|lapack/p')
[ "$blas" ] || { echo "libTH is linked with no BLAS" && exit 1; }
for soname in libTH.so.1 libTHNN.so.1 libTHPP.so.1 libshm.so.1 libtorch.so.1 libstdc++.so.6 $blas $added; do
  mkdir -p "$world/one/$soname"
  gcc -shared -fPIC -DNAME="\"$soname\"" -Wl,-soname,"$soname" -o "$world/lib/$soname" "$here/decoy.c"
  ln -s "$world/lib/$soname" "$world/one/$soname/"
done
cp "$here/fake.py" "$world/python/torch.py"
cp "$here/fake.py" "$world/python/numpy.py"

passed=0
verdict() { # verdict NAME EXPECTED(clean|decoy) COMMAND...: run in the decoy world, look at the log
  local name=$1 expected=$2 status=0 got
  shift 2
  : > "$DECOY_LOG"
  env LD_LIBRARY_PATH="$world/lib" PYTHONPATH="$world/python" CPATH="$world/include" \
    LIBRARY_PATH="$world/lib" CMAKE_PREFIX_PATH="$world" CC=false CXX=false CFLAGS=-poison "$@" \
    > output.txt 2>&1 || status=$?
  # A preloaded decoy announces itself once; that one does not count.
  if [ "${PRELOADED:-}" ]; then sed -i "0,/^$PRELOADED\$/{/^$PRELOADED\$/d}" "$DECOY_LOG"; fi
  if [ $status = 0 ] && [ ! -s "$DECOY_LOG" ]; then got=clean; else got=decoy; fi
  if [ $got != "$expected" ]; then
    echo "$name: expected $expected, got $got (exit status $status)"
    cat output.txt "$DECOY_LOG"
    exit 1
  fi
  passed=$((passed + 1))
  echo "$name: $got ($(tail -n 1 output.txt))"
}

# Ours: nothing gets in.
verdict "environment" clean "$PYTHON" "$here/probe.py" ${CUDA:+--cuda}
for soname in $added; do
  PRELOADED=$soname verdict "preloaded $soname" clean "$PYTHON" "$here/probe.py" --cuda --preload "$world/lib/$soname"
done
for soname in libTH.so.1 libTHNN.so.1; do
  PRELOADED=$soname verdict "preloaded $soname" clean "$PYTHON" "$here/probe.py" --preload "$world/lib/$soname"
done
for soname in $blas libstdc++.so.6; do
  PRELOADED=$soname verdict "preloaded $soname" clean \
    "$PYTHON" "$here/probe.py" --preload "$world/lib/$soname" --without-numpy
done

# The control: the same package linked the ordinary way, by soname and RUNPATH. Were the decoys
# harmless, they would be harmless here too, and the verdicts above would mean nothing.
mkdir control
cp -r --no-preserve=mode "$PACKAGE" control/torch
find control/torch -name '*.so*' -type f | while read -r file; do
  for needed in $(patchelf --print-needed "$file"); do
    case $needed in /*) patchelf --replace-needed "$needed" "${needed##*/}" "$file" ;; esac
  done
  patchelf --set-rpath "$(patchelf --print-rpath "$file")" "$file"
  readelf -d "$file" | grep -q RUNPATH
done
computes='import torch; print(torch.ones(2).sum())'
if [ "${CUDA:-}" ]; then
  # With all modules that CUDA adds, as probe.py does it.
  computes='import torch, pathlib, importlib
package = pathlib.Path(torch.__file__).parent
for file in package.rglob("_*.so"):
    importlib.import_module(".".join(("torch", *file.relative_to(package).parts)).partition(".cpython")[0])
print(torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda"))'
fi
control() { PYTHONPATH=$PWD/control "$SITE_PYTHON" -c "$computes"; }
control > /dev/null || { echo "the control does not even work without decoys"; exit 1; }
passed=$((passed + 1))
echo "control without decoys: clean"
verdict "control, environment" decoy \
  env PYTHONPATH="$PWD/control" "$SITE_PYTHON" -c 'import torch; print(torch.ones(2).sum())'
PRELOADED=libTH.so.1 verdict "control, preloaded libTH" decoy \
  env LD_LIBRARY_PATH= PYTHONPATH="$PWD/control" "$SITE_PYTHON" -c "
import ctypes; ctypes.CDLL('$world/lib/libTH.so.1'); import torch; print(torch.ones(2).sum())"

# Of what CUDA adds each by itself: the others would be taken, too.
for soname in $added; do
  verdict "control, $soname" decoy env LD_LIBRARY_PATH="$world/one/$soname" PYTHONPATH="$PWD/control" \
    "$SITE_PYTHON" -c "$computes"
done

echo "$passed passed, 0 failed"
