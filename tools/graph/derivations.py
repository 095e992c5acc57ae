"""Derivations as Nix describes them in JSON, whose shape differs from version to version."""

import dataclasses
import json
import re
import subprocess


class NixError(RuntimeError):
    """Nix failed, or said something that cannot be understood."""


@dataclasses.dataclass(frozen=True)
class Derivation:
    """Derivations go by their base name, `<hash>-TH-1.0.0.drv`: newer versions of Nix leave out the store's folder."""

    id: str
    name: str  # with the version: TH-1.0.0
    outputs: tuple[str, ...]  # base names
    inputs: tuple[str, ...]  # ids of derivations
    fixed: bool  # a download, or something else that is known by its hash


def base(path):
    return path.rsplit("/", 1)[-1]


def parse(text):
    """id -> Derivation, from what `nix derivation show --recursive` prints.

    Raises NixError, naming the derivation and what is wrong with it.
    """
    try:
        everything = json.loads(text)
    except json.JSONDecodeError as error:
        raise NixError(f"Nix printed no JSON: {error}") from None
    # Nix 2.33 put one more object around it.
    if isinstance(everything, dict) and isinstance(everything.get("derivations"), dict):
        everything = everything["derivations"]
    found = {}
    for path, fields in everything.items():
        try:
            found[base(path)] = _derivation(base(path), fields)
        except (AttributeError, KeyError, TypeError) as error:
            raise NixError(
                f"{path}: Nix describes it in a way that is not known here: {type(error).__name__}: {error}"
            ) from None
    for derivation in found.values():
        missing = [need for need in derivation.inputs if need not in found]
        if missing:
            raise NixError(f"{derivation.id} needs {missing[0]}, which Nix did not describe")
    return found


def _derivation(identity, fields):
    # Up to 2.31 `inputDrvs`; then `inputs.drvs`. What of each is needed (a list, or an object) does not matter here.
    inputs = fields["inputDrvs"] if "inputDrvs" in fields else fields["inputs"]["drvs"]
    outputs = fields["outputs"].values()
    return Derivation(
        id=identity,
        name=re.sub(r"^[0-9a-z]{32}-|\.drv$", "", identity),
        outputs=tuple(base(output["path"]) for output in outputs if output.get("path")),
        inputs=tuple(sorted(base(path) for path in inputs)),
        fixed=any(output.get("hash") for output in outputs),
    )


def run(*command):
    """The output of a program; NixError with its last words if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise NixError(f"there is no `{command[0]}` on PATH") from None
    if done.returncode:
        raise NixError(f"`{' '.join(command[:8])}{' …' if len(command) > 8 else ''}` failed:\n{done.stderr.strip()}")
    return done.stdout


NIX = ("nix", "--extra-experimental-features", "nix-command flakes")


def closure(path):
    """All derivations behind the .drv file at `path`."""
    try:
        return parse(run(*NIX, "derivation", "show", "--recursive", path))
    except NixError as error:
        if "derivation" not in str(error) or "not a recognised command" not in str(error):
            raise
    return parse(run(*NIX, "show-derivation", "--recursive", path))  # before Nix 2.13


def resolve(installable):
    """The .drv file that an installable stands for."""
    if installable.endswith(".drv"):
        return installable
    lines = run(*NIX, "path-info", "--derivation", installable).split()
    if len(lines) != 1 or not lines[0].endswith(".drv"):
        raise NixError(f"{installable} stands for {len(lines)} derivations, not for one: {' '.join(lines)}")
    return lines[0]
