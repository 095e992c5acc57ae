# The decoy world, run by nix/checks/hermetic.nix: PYTHON is the interpreter with torch, PACKAGE the
# composed package, SITE_PYTHON an interpreter with numpy alone. Writes report.txt.
set -eu
here=$1
world=$PWD/world
export DECOY_LOG=$PWD/decoys.log
mkdir -p "$world/lib" "$world/python" "$world/include"

for soname in libTH.so.1 libTHNN.so.1 libTHPP.so.1 libopenblas.so.0 libstdc++.so.6; do
  gcc -shared -fPIC -DNAME="\"$soname\"" -Wl,-soname,"$soname" -o "$world/lib/$soname" "$here/decoy.c"
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
verdict "environment" clean "$PYTHON" "$here/probe.py"
for soname in libTH.so.1 libTHNN.so.1; do
  PRELOADED=$soname verdict "preloaded $soname" clean "$PYTHON" "$here/probe.py" --preload "$world/lib/$soname"
done
for soname in libopenblas.so.0 libstdc++.so.6; do
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
control() { PYTHONPATH=$PWD/control "$SITE_PYTHON" -c 'import torch; print(torch.ones(2).sum())'; }
control > /dev/null || { echo "the control does not even work without decoys"; exit 1; }
passed=$((passed + 1))
echo "control without decoys: clean"
verdict "control, environment" decoy \
  env PYTHONPATH="$PWD/control" "$SITE_PYTHON" -c 'import torch; print(torch.ones(2).sum())'
PRELOADED=libTH.so.1 verdict "control, preloaded libTH" decoy \
  env LD_LIBRARY_PATH= PYTHONPATH="$PWD/control" "$SITE_PYTHON" -c "
import ctypes; ctypes.CDLL('$world/lib/libTH.so.1'); import torch; print(torch.ones(2).sum())"

echo "$passed passed, 0 failed"
