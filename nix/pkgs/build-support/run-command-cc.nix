# runCommandCC :: name -> env -> script -> derivation
# As runCommand, with the compiler.
{ stdenv }: import ./run-command-with.nix stdenv
