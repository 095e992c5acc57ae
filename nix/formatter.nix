# `nix fmt [FILE...]`: no trailing blanks, one newline at the end of each text file. (Formatters of
# C++ and Python come with the development tools.)
{
  writeShellScriptBin,
  coreutils,
  findutils,
  gnugrep,
  gnused,
}:
writeShellScriptBin "torch-format" ''
  set -eu
  export PATH=${coreutils}/bin:${findutils}/bin:${gnugrep}/bin:${gnused}/bin
  [ $# -gt 0 ] || set -- .
  find "$@" -type f -not -path '*/.git/*' -not -name '*.json' -print0 |
    xargs -0 -r grep -lIZ . |
    while IFS= read -r -d "" file; do
      sed 's/[[:blank:]]*$//' "$file" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' > "$file.formatted"
      if cmp -s "$file" "$file.formatted"; then
        rm "$file.formatted"
      else
        cat "$file.formatted" > "$file" && rm "$file.formatted" && echo "formatted $file"
      fi
    done
''
