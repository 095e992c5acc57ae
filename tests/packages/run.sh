# torch beside other packages: run by nix/checks/packages.nix with PYTHON, the interpreter of `nix run`, and WHEELS, a folder
# with a wheel of a package `beside` that requires torch, PROJECT, the template's interpreter and script. Prints what it tried.
set -eu
here=$PWD
passed=0
tried() { passed=$((passed + 1)) && echo "$*"; }
fail() { echo "$*" && exit 1; }

# A script beside a folder that would shadow torch; its own neighbours are found.
mkdir -p checkout/torch other
echo 'raise ImportError("the checkout was imported")' >checkout/torch/__init__.py
echo 'value = 5' >checkout/neighbour.py
echo 'import sys, neighbour, torch; print(neighbour.value + torch.ones(2).sum().item(), sys.argv[1:])' >checkout/five.py
cp checkout/five.py checkout/neighbour.py other/
for script in checkout/five.py other/five.py; do
  [ "$("$PYTHON" $script a -b)" = "7.0 ['a', '-b']" ] || fail "$script does not find torch, or its neighbour"
  tried "$script"
done
(cd checkout && [ "$("$PYTHON" -X utf8 five.py)" = "7.0 []" ]) || fail "five.py in its own folder"
tried "five.py in its own folder"
(cd checkout && "$PYTHON" -c 'import torch') || fail "-c in a checkout"
tried "-c in a checkout"

# pip shows the packages, and changes none.
"$PYTHON" -m pip --disable-pip-version-check list 2>/dev/null | grep -q '^torch ' || fail "pip does not list torch"
tried "-m pip list"
if "$PYTHON" -m pip install anything 2>message; then fail "pip wrote into the store"; fi
grep -q 'venv --system-site-packages' message || fail "pip's refusal does not say what to do: $(cat message)"
tried "-m pip install: $(head -n 1 message)"

# A virtual environment on top: torch is the store's, and meets the requirement of what is installed there.
"$PYTHON" -m venv --system-site-packages env
env/bin/pip install -q --no-index --find-links "$WHEELS" --disable-pip-version-check beside || fail "pip install in the environment"
[ "$(env/bin/python -c 'import beside; print(beside.value)')" = 3.0 ] || fail "the package does not find torch"
[ ! -e env/lib/python3*/site-packages/torch ] || fail "pip installed another torch"
tried "-m venv --system-site-packages, pip install"

# One without: it has pip, and no torch.
"$PYTHON" -m venv bare
if bare/bin/python -c 'import torch' 2>message; then fail "an environment without packages has torch"; fi
grep -q "No module named 'torch'" message || fail "$(cat message)"
bare/bin/pip --version | grep -q '^pip ' || fail "an environment without pip"
tried "-m venv"
"$PYTHON" -m venv --without-pip none && [ ! -e none/bin/pip ] || fail "--without-pip"
tried "-m venv --without-pip"

# The template's packages.
MPLCONFIGDIR=$PWD $PROJECT && [ -s curves.png ] || fail "templates/project"
tried "templates/project"
echo "$passed passed, 0 failed"
