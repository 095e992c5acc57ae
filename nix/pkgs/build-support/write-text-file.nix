# writeTextFile :: { name, text, executable ? false, destination ? "", checkPhase ? "", ... } -> derivation
# A file, or a folder that holds it at `destination`.
{ lib, runCommand }:
{
  name,
  text,
  executable ? false,
  destination ? "",
  checkPhase ? "",
  meta ? { },
  passthru ? { },
  ...
}:
runCommand name
  {
    inherit text executable meta;
    passthru = passthru // {
      inherit text;
    };
  }
  ''
    target=$out${lib.escapeShellArg destination}
    mkdir -p "$(dirname "$target")"
    printf %s "$text" >"$target"
    if [ -n "$executable" ]; then chmod +x "$target"; fi
    ${checkPhase}
  ''
