# Tests of the wheel, run by nix/checks/wheel.nix with `auditwheel`, readelf, patchelf and a compiler in PATH:
#   WHEEL        the file                         INSTALLED    site-packages that it was made of
#   BARE_PYTHON  an interpreter without packages  TEST_PYTHON  one with numpy, pip, pytest, hypothesis
#   STORE        the store's folder
#   HOST_LIB     a folder with libstdc++.so.6 and libgcc_s.so.1, which every distribution has
# Usage: run.sh TESTS, the folder tests/ of the repository.
set -eu
tests=$1
passed=0
pass() { passed=$((passed + 1)); echo "$*"; }
# quietly LOG COMMAND...: the log is shown where the command fails.
quietly() { "${@:2}" > "$1" 2>&1 || { cat "$1"; exit 1; }; }
# must TEXT FILE: a line of the file holds this text.
must() { grep -qF -- "$1" "$2" || { echo "expected to find: $1"; cat "$2"; exit 1; }; }

# ---- its maker ---------------------------------------------------------------------------------------
quietly units.txt "$TEST_PYTHON" -m pytest -q -p no:cacheprovider "$tests/wheel/units.py"
pass "units.py: $(tail -n 1 units.txt)"

# ---- what it is ------------------------------------------------------------------------------------
check() {
  "$TEST_PYTHON" "$tests/wheel/check.py" "$1" --installed "$INSTALLED" --store "$STORE" > complaints
}
check "$WHEEL" || { cat complaints; exit 1; }
pass "check.py: $(cat complaints)"
spoilt() { # spoilt MISTAKE COMPLAINT: check.py finds it, and says so
  mkdir -p spoilt
  "$TEST_PYTHON" "$tests/wheel/spoil.py" "$WHEEL" "$1" "spoilt/${WHEEL##*/}" "$STORE"
  if check "spoilt/${WHEEL##*/}"; then echo "check.py does not see the mistake '$1'"; exit 1; fi
  must "$2" complaints
  pass "check.py sees a spoilt wheel: $2"
}
spoilt record "RECORD has"
spoilt missing "torch/random.py is missing"
spoilt runpath "torch/lib/libTH.so.1 has a RUNPATH"
spoilt rpath "torch/lib/libTHNN.so.1 has the RPATH ['/usr/lib']"
spoilt soname "torch/lib/libgomp-torch.so.1 has the soname ['libgomp.so.1']"
spoilt needed "torch/lib/libTHPP.so.1 needs libopenblas.so.0, which is neither"
spoilt version "torch/lib/libTH.so.1 wants versions of ['libgomp-torch.so.1']"
spoilt store "torch/lib/NOTICE.txt names $STORE/a1"

# auditwheel wraps its lines; -v makes it go on after the symbols, to the libraries.
tag=${WHEEL##*-} tag=${tag%.whl}
auditwheel -v show "$WHEEL" 2> audit.log | tr '\n' ' ' > audit.txt
must "consistent with the following platform tag: \"$tag\"" audit.txt
must "The wheel requires no external shared libraries" audit.txt
pass "auditwheel: $tag, no external shared libraries"

# ---- what it does ----------------------------------------------------------------------------------
# Nothing but the wheel: no numpy, no pip inside.
unset PYTHONPATH
export HOME=$PWD PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 LD_LIBRARY_PATH=
"$BARE_PYTHON" -m venv --without-pip bare
install() {
  quietly pip.txt "$TEST_PYTHON" -m pip --python bare/bin/python install --force-reinstall \
    --no-index --no-deps "$1"
}
install "$WHEEL"
must "Successfully installed torch-" pip.txt
pass "pip: $(tail -n 1 pip.txt)"
quietly output.txt env LD_LIBRARY_PATH="$HOST_LIB" bare/bin/python "$tests/wheel/compute.py"
pass "bare environment: $(cat output.txt)"

site=$("$TEST_PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
cp "$tests/test_tiny.py" "$tests/conftest.py" .
quietly tiny.txt env LD_LIBRARY_PATH="$HOST_LIB" PYTHONPATH="$site" \
  bare/bin/python -m pytest -q -p no:cacheprovider test_tiny.py
pass "test_tiny.py: $(tail -n 1 tiny.txt)"

# ---- stray libraries -------------------------------------------------------------------------------
mkdir decoys
export DECOY_LOG=$PWD/decoys.log
for soname in libTH.so.1 libTHNN.so.1 libTHPP.so.1 libtorch_python.so.1 libopenblas.so.0 libgomp.so.1 \
  libhwy.so.1 libhwy_contrib.so.1 libgfortran.so.5 libopenblas-torch.so.0 libgomp-torch.so.1; do
  gcc -shared -fPIC -DNAME="\"$soname\"" -Wl,-soname,"$soname" -o "decoys/$soname" "$tests/hermetic/decoy.c"
done
stray() { # stray EXPECTED(immune|falls) WHAT ARGUMENT...: compute.py with decoys in LD_LIBRARY_PATH
  local expected=$1 what=$2 status=0 got=immune
  shift 2
  : > "$DECOY_LOG"
  LD_LIBRARY_PATH=$PWD/decoys:$HOST_LIB bare/bin/python "$tests/wheel/compute.py" "$@" \
    > output.txt 2>&1 || status=$?
  # The one that is preloaded says so, once.
  if [ $status != 0 ] || [ "$(wc -l < "$DECOY_LOG")" != $(($# / 2)) ]; then got=falls; fi
  [ $got = "$expected" ] ||
    { echo "$what: expected $expected, got $got"; cat output.txt "$DECOY_LOG"; exit 1; }
  pass "$what: $got"
}
stray immune "decoys in LD_LIBRARY_PATH"
for soname in libopenblas.so.0 libgomp.so.1 libhwy.so.1 libgfortran.so.5; do
  stray immune "$soname loaded before" --preload "$PWD/decoys/$soname"
done
# What sonames cannot do (docs/wheel.md says so).
stray falls "libTH.so.1 loaded before" --preload "$PWD/decoys/libTH.so.1"
# The control: with a RUNPATH in one of its libraries, the same wheel falls for the same folder.
"$TEST_PYTHON" "$tests/wheel/spoil.py" "$WHEEL" runpath "spoilt/${WHEEL##*/}" "$STORE"
install "spoilt/${WHEEL##*/}"
stray falls "control with a RUNPATH, decoys in LD_LIBRARY_PATH"
echo "$passed passed, 0 failed"
