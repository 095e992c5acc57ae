"""A stand-in for `nix` and `nix-store` that keeps its store in $FAKE, and writes down its calls.

`nix eval` answers with the lines of $FAKE/outputs/<flake output>; `nix-store --realise --dry-run`
with every derivation in $FAKE/closure whose output file does not exist. Text only: no Nix needed.
"""

import json
import os
import pathlib
import shutil
import sys

fake = pathlib.Path(os.environ["FAKE"])
tool, args = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
with open(fake / "calls", "a") as calls:
    calls.write(json.dumps({"tool": tool, "args": args, "config": os.environ.get("NIX_CONFIG", "")}) + "\n")


def outputs(derivation):
    return [pathlib.Path(line) for line in pathlib.Path(derivation + ".out").read_text().split()]


if tool == "nix" and args == ["--version"]:
    print("nix (Nix)", os.environ.get("FAKE_VERSION", "2.26.3"))
elif tool == "nix" and args[:2] == ["eval", "--raw"]:
    answer = fake / "outputs" / args[args.index("--apply") - 1].replace("/", "_")
    if not answer.exists():
        sys.exit(f"error: no output {answer.name}")
    print(answer.read_text().strip(), end="")
elif tool == "nix-store" and args[:2] == ["--realise", "--dry-run"]:
    if not all(path.exists() for derivation in args[2:] for path in outputs(derivation)):
        wanted = [
            line for line in (fake / "closure").read_text().split() if not all(path.exists() for path in outputs(line))
        ]
        print(f"these {len(wanted)} derivations will be built:", *wanted, sep="\n  ", file=sys.stderr)
elif tool == "nix-store" and args[:2] == ["--query", "--references"]:
    print(*args[2:], "/nix/store/a-source", sep="\n")
elif tool == "nix-store" and args[:2] == ["--query", "--outputs"]:
    print(*[path for derivation in args[2:] for path in outputs(derivation)], sep="\n")
elif tool == "nix-store" and args[0] == "--check-validity":
    sys.exit(0 if all(pathlib.Path(path).exists() for path in args[1:]) else "error: path is not valid")
elif tool == "nix-store" and args[0] == "--add-fixed":
    if (fake / "store-is-full").exists():
        sys.exit("error: writing to file: No space left on device")
    source = pathlib.Path(args[-1])
    target = fake / "store" / source.name
    (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    print(target)
