# writeScript :: name -> text -> derivation, an executable file
{ writeTextFile }:
name: text:
writeTextFile {
  inherit name text;
  executable = true;
}
