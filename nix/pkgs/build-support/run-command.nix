# runCommand :: name -> env -> script -> derivation
# A derivation made by a few commands, which create $out. Without a compiler.
{ stdenvNoCC }: import ./run-command-with.nix stdenvNoCC
