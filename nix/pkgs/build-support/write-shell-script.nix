# writeShellScript :: name -> text -> derivation, a file that bash runs
{ writeTextFile, runtimeShell }:
name: text:
writeTextFile {
  inherit name;
  executable = true;
  text = ''
    #!${runtimeShell}
    ${text}
  '';
}
