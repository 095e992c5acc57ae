# The interpreter with torch that `nix run` starts. It sees the store and the script's own folder:
# no PYTHONPATH, no user site, and for -c, -m and the prompt not the current folder either, where
# a checkout's torch/ would shadow the real one. Beside a script that folder comes last if it has one.
{
  python3,
  digits,
  sanitizer,
  torch,
  runCommand,
  runtimeShell,
  writeTextFile,
  # Packages besides: ps: [ ps.matplotlib ]
  extraPackages,
}:
let
  environment = python3.withPackages (
    ps:
    [
      torch
      ps.numpy
      ps.pip
      (ps.toPythonModule scriptFolder)
    ]
    ++ extraPackages ps
  );
  # Read by Python's site module: a folder that comes after all packages.
  scriptFolder = runCommand "python-script-folder" { } ''
    mkdir -p $out/${python3.sitePackages}
    echo 'import os, sys; sys.path += filter(None, [os.environ.get("TORCH_SCRIPT_FOLDER")])' \
      >$out/${python3.sitePackages}/script_folder.pth
  '';
  pip = python3.withPackages (ps: [ ps.pip ]);
in
writeTextFile {
  name = "python-with-torch";
  executable = true;
  destination = "/bin/python";
  text = ''
    #!${runtimeShell}
    unset PYTHONPATH PYTHONHOME TORCH_SCRIPT_FOLDER
    export PYTHONNOUSERSITE=1 TORCH_DIGITS=''${TORCH_DIGITS:-${digits}/digits.csv.gz}
    ${sanitizer.exports}# The first argument that is no option: a script?
    position=1
    while [ $position -le $# ]; do
      case ''${!position} in
        -c | -m | -) break ;;
        -X | -W | --check-hash-based-pycs) position=$((position + 2)) ;;
        -*) position=$((position + 1)) ;;
        *)
          folder=.
          case ''${!position} in */*) folder=''${!position%/*}/ ;; esac
          if [ -e "$folder/torch/__init__.py" ]; then
            export PYTHONSAFEPATH=1 TORCH_SCRIPT_FOLDER=$(cd "$folder" && pwd -P)
          fi
          break ;;
      esac
    done
    case ''${1:-} in -* | "") export PYTHONSAFEPATH=1 ;; esac
    case "''${1:-} ''${2:-}" in
      "-m venv")
        shift 2
        set -- ${./venv.py} ${environment}/${python3.sitePackages} ${pip}/${python3.sitePackages} "$@" ;;
      "-m pip")
        case " $* " in
          *" --target"* | *" -t "* | *" --prefix"* | *" --root"* | *" --dry-run "* | *" -h "* | *" --help "*) ;;
          *" install "* | *" uninstall "*)
            echo "python: the packages here are Nix's, which nobody changes. Make a virtual environment on top:" >&2
            echo "    python -m venv --system-site-packages env    and then    env/bin/pip ''${*:3}" >&2
            exit 1 ;;
        esac ;;
    esac
    exec ${environment}/bin/python "$@"
  '';
  passthru = { inherit environment; };
}
