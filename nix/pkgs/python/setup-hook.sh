# Python packages among the inputs of a build can be imported in it.
addPythonPath() { addToSearchPath PYTHONPATH "$1/lib/python3.13/site-packages"; }

# An environment made by withPackages knows its packages already.
addEnvHooks "$hostOffset" addPythonPath
