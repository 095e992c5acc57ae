# Linter and formatter of Python.
{ wheelProgram, fetchWheel }:
wheelProgram {
  pname = "ruff";
  wheel = "ruff";
  file = "ruff-${(fetchWheel "ruff").version}.data/scripts/ruff";
  meta = {
    description = "Linter and formatter of Python";
    mainProgram = "ruff";
  };
}
