# symlinkJoin :: { name, paths, postBuild ? "" } -> derivation, one tree of links to several
{ runCommand }:
{
  name,
  paths,
  postBuild ? "",
  passthru ? { },
  meta ? { },
}:
runCommand name { inherit paths passthru meta; } ''
  mkdir -p $out
  for path in $paths; do
    (cd $path && find . -type d) | while IFS= read -r folder; do mkdir -p "$out/$folder"; done
    (cd $path && find . ! -type d) | while IFS= read -r file; do
      [ -e "$out/$file" ] || ln -s "$path/''${file#./}" "$out/$file"
    done
  done
  ${postBuild}
''
