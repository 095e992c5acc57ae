# writeShellScriptBin :: name -> text -> derivation, a folder with bin/<name>
{ writeTextFile, runtimeShell }:
name: text:
writeTextFile {
  inherit name;
  executable = true;
  destination = "/bin/${name}";
  text = ''
    #!${runtimeShell}
    ${text}
  '';
  meta.mainProgram = name;
}
