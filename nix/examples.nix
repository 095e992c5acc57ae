# torch-examples NAME [ARGUMENTS]: a script of examples/ on an interpreter with torch, matplotlib and tqdm, and with the
# data that it needs. The interpreter of `nix run` has neither of these.
{
  bible,
  digits,
  python,
  runtimeShell,
  source,
  writeTextFile,
}:
let
  interpreter = python.override {
    extraPackages = ps: [
      ps.matplotlib
      ps.tqdm
    ];
  };
  scripts = source {
    name = "examples";
    paths = [ "examples" ];
  };
in
writeTextFile {
  name = "torch-examples";
  executable = true;
  destination = "/bin/torch-examples";
  text = ''
    #!${runtimeShell}
    export TORCH_BIBLE=''${TORCH_BIBLE:-${bible}/bible.txt}
    name=''${1%.py} scripts=${scripts}/examples
    if [ -z "$name" ] || ! [ -f "$scripts/$name.py" ]; then
      echo "torch-examples NAME [--help, --quick ...], where NAME is one of:" >&2
      for script in "$scripts"/*.py; do
        script=''${script##*/}
        [ "$script" = common.py ] || echo "  ''${script%.py}" >&2
      done
      exit 2
    fi
    shift
    # matplotlib keeps a list of fonts in a folder of its own, if it may write there
    export MPLCONFIGDIR=''${MPLCONFIGDIR:-''${TMPDIR:-/tmp}/torch-examples-$UID}
    exec ${interpreter}/bin/python "$scripts/$name.py" "$@"
  '';
  passthru = { inherit interpreter; };
}
