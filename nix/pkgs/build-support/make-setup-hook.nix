# makeSetupHook :: { name, propagatedBuildInputs ? [ ] } -> script -> derivation
# A package that consists of a setup hook.
{ runCommand }:
{
  name,
  propagatedBuildInputs ? [ ],
}:
script:
runCommand name { inherit propagatedBuildInputs; } ''
  mkdir -p $out/nix-support
  cp ${script} $out/nix-support/setup-hook
  printf '%s\n' "$propagatedBuildInputs" >$out/nix-support/propagated-build-inputs
''
