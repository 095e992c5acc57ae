# Functions of run.sh and cuda.sh, which say what they are given. BESIDE: arguments for check.py.
set -eu
tests=$1
passed=0
pass() { passed=$((passed + 1)); echo "$*"; }
# quietly LOG COMMAND...: the log is shown where the command fails.
quietly() { "${@:2}" > "$1" 2>&1 || { cat "$1"; exit 1; }; }
# must TEXT FILE: a line of the file holds this text.
must() { grep -qF -- "$1" "$2" || { echo "expected to find: $1"; cat "$2"; exit 1; }; }

check() {
  "$TEST_PYTHON" "$tests/wheel/check.py" "$1" --installed "$INSTALLED" --store "$STORE" ${BESIDE:-} > complaints
}
spoilt() { # spoilt MISTAKE COMPLAINT: check.py finds it, and says so
  mkdir -p spoilt
  "$TEST_PYTHON" "$tests/wheel/spoil.py" "$WHEEL" "$1" "spoilt/${WHEEL##*/}" "$STORE"
  if check "spoilt/${WHEEL##*/}"; then echo "check.py does not see the mistake '$1'"; exit 1; fi
  must "$2" complaints
  pass "check.py sees a spoilt wheel: $2"
}

# An environment that has nothing else: no numpy, no pip inside.
bare() {
  unset PYTHONPATH
  export HOME=$PWD PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 LD_LIBRARY_PATH=
  "$BARE_PYTHON" -m venv --without-pip bare
}
install() {
  quietly pip.txt "$TEST_PYTHON" -m pip --python bare/bin/python install --force-reinstall \
    --no-index --no-deps "$1"
}
decoys() { # decoys SONAME...: stray libraries of these names, in the folder decoys
  local soname
  mkdir -p decoys
  export DECOY_LOG=$PWD/decoys.log
  for soname; do
    gcc -shared -fPIC -DNAME="\"$soname\"" -Wl,-soname,"$soname" -o "decoys/$soname" "$tests/hermetic/decoy.c"
  done
}
stray() { # stray EXPECTED(immune|falls) WHAT PROGRAM ARGUMENT...: a program of these tests with decoys in LD_LIBRARY_PATH
  local expected=$1 what=$2 status=0 got=immune
  shift 2
  : > "$DECOY_LOG"
  LD_LIBRARY_PATH=$PWD/decoys:$HOST_LIB bare/bin/python "$tests/wheel/$1" "${@:2}" \
    > output.txt 2>&1 || status=$?
  # The one that is preloaded says so, once.
  if [ $status != 0 ] || [ "$(wc -l < "$DECOY_LOG")" != $((($# - 1) / 2)) ]; then got=falls; fi
  [ $got = "$expected" ] ||
    { echo "$what: expected $expected, got $got"; cat output.txt "$DECOY_LOG"; exit 1; }
  pass "$what: $got"
}
