# Tests of the wheel, run by nix/checks/wheel.nix with `auditwheel`, readelf, patchelf and a compiler in PATH:
#   WHEEL        the file                         INSTALLED    site-packages that it was made of
#   BARE_PYTHON  an interpreter without packages  TEST_PYTHON  one with numpy, pip, pytest, hypothesis
#   STORE        the store's folder
#   HOST_LIB     a folder with libstdc++.so.6 and libgcc_s.so.1, which every distribution has
# Usage: run.sh TESTS, the folder tests/ of the repository.
. "$1/wheel/functions.sh"

# ---- its maker ---------------------------------------------------------------------------------------
quietly units.txt "$TEST_PYTHON" -m pytest -q -p no:cacheprovider "$tests/wheel/units.py"
pass "units.py: $(tail -n 1 units.txt)"

# ---- what it is ------------------------------------------------------------------------------------
check "$WHEEL" || { cat complaints; exit 1; }
pass "check.py: $(cat complaints)"
spoilt record "RECORD has"
spoilt missing "torch/random.py is missing"
spoilt runpath "torch/lib/libTH.so.1 has a RUNPATH"
spoilt rpath "torch/lib/libTHNN.so.1 has the RPATH ['/usr/lib']"
spoilt soname "torch/lib/libgomp-torch.so.1 has the soname ['libgomp.so.1']"
spoilt needed "torch/lib/libTHPP.so.1 needs libblas.so.3, which is neither"
spoilt version "torch/lib/libTH.so.1 wants versions of ['libgomp-torch.so.1']"
spoilt store "torch/lib/NOTICE.txt names $STORE/a1"

# auditwheel wraps its lines; -v makes it go on after the symbols, to the libraries.
tag=${WHEEL##*-} tag=${tag%.whl}
auditwheel -v show "$WHEEL" 2> audit.log | tr '\n' ' ' > audit.txt
must "consistent with the following platform tag: \"$tag\"" audit.txt
must "The wheel requires no external shared libraries" audit.txt
pass "auditwheel: $tag, no external shared libraries"

# ---- what it does ----------------------------------------------------------------------------------
bare
install "$WHEEL"
must "Successfully installed torch-" pip.txt
pass "pip: $(tail -n 1 pip.txt)"
quietly output.txt env LD_LIBRARY_PATH="$HOST_LIB" bare/bin/python "$tests/wheel/compute.py"
pass "bare environment: $(cat output.txt)"

"$TEST_PYTHON" "$tests/wheel/index.py" index
quietly plan.txt "$TEST_PYTHON" -m pip --python bare/bin/python install --dry-run --no-index --find-links index asks-torch
must "Would install asks-torch-1.0 typing_extensions-4.15.0" plan.txt
quietly plan.txt "$TEST_PYTHON" -m pip --python bare/bin/python install --dry-run --no-index --find-links index asks-more
must "Would install asks-more-1.0 torch-99.0" plan.txt
pass "pip: a package that asks for torch>=2.0 takes this one; only one that asks for more gets another"

site=$("$TEST_PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
cp "$tests/test_tiny.py" "$tests/conftest.py" .
quietly tiny.txt env LD_LIBRARY_PATH="$HOST_LIB" PYTHONPATH="$site" \
  bare/bin/python -m pytest -q -p no:cacheprovider test_tiny.py
pass "test_tiny.py: $(tail -n 1 tiny.txt)"

# ---- stray libraries -------------------------------------------------------------------------------
decoys libTH.so.1 libTHNN.so.1 libTHS.so.1 libTHPP.so.1 libshm.so.1 libtorch.so.1 libtorch_python.so.1 libblas.so.3 libgomp.so.1 \
  libdnnl.so.3.6 libhwy.so.1 libhwy_contrib.so.1 libgfortran.so.5 libblas-torch.so.3 libgomp-torch.so.1
stray immune "decoys in LD_LIBRARY_PATH" compute.py
for soname in libblas.so.3 libgomp.so.1 libdnnl.so.3.6 libhwy.so.1 libgfortran.so.5; do
  stray immune "$soname loaded before" compute.py --preload "$PWD/decoys/$soname"
done
# What sonames cannot do (docs/wheel.md says so).
stray falls "libTH.so.1 loaded before" compute.py --preload "$PWD/decoys/libTH.so.1"
# The control: with a RUNPATH in one of its libraries, the same wheel falls for the same folder.
"$TEST_PYTHON" "$tests/wheel/spoil.py" "$WHEEL" runpath "spoilt/${WHEEL##*/}" "$STORE"
install "spoilt/${WHEEL##*/}"
stray falls "control with a RUNPATH, decoys in LD_LIBRARY_PATH" compute.py
echo "$passed passed, 0 failed"
