"""How long a derivation took to build: from what Nix left behind, or measured."""

import json
import os
import subprocess
import time

from .derivations import NIX, NixError, base, run

LOGS = os.environ.get("NIX_LOG_DIR", "/nix/var/log/nix")
STORE = os.environ.get("NIX_STORE_DIR", "/nix/store")


def log_of(identity, logs=LOGS):
    """Where Nix keeps the log of a build; older settings do not compress it."""
    path = os.path.join(logs, "drvs", identity[:2], identity[2:])
    return path + ".bz2" if os.path.exists(path + ".bz2") else path


def from_logs(derivations, registered, logs=LOGS):
    """id -> seconds. What was not built on this machine, or long ago with no log left, is missing.

    Nix creates the log when a build begins and writes to it last when it ends, so birth and last change of the file
    are the build's. `registered` (output -> when it came into the store, to the second; None if that cannot be found
    out) tells what the file alone cannot: a log without a result is that of a build that failed or is still running,
    and one that ends long after the result was registered has been written again by `nix build --rebuild`.
    """
    logs_of = {derivation: log_of(derivation, logs) for derivation in derivations}
    born = _births([path for path in logs_of.values() if os.path.exists(path)])
    told, registered = registered is not None, registered or {}
    found = {}
    for identity, path in logs_of.items():
        if path not in born:
            continue
        begin, end = born[path]
        first_end = max(
            (registered[output] for output in derivations[identity].outputs if output in registered), default=None
        )
        if first_end is None and told:
            continue
        if first_end is not None and end - first_end > 2:
            end = first_end
        # The log is older than what the build needed? Then results have been collected, and the build was repeated.
        ready = max(
            (
                registered[output]
                for need in derivations[identity].inputs
                for output in derivations[need].outputs
                if output in registered
            ),
            default=0,
        )
        if begin <= end and begin + 1 >= ready:
            found[identity] = end - begin
    return found


def _births(paths):
    """path -> (birth, last change), of those files whose file system keeps their birth. Python cannot ask for it."""
    if not paths:
        return {}
    found = {}
    for line in run("stat", "--format=%.9W %.9Y %n", *paths).splitlines():
        born, changed, path = line.split(" ", 2)
        if float(born) > 0:
            found[path] = (float(born), float(changed))
    return found


def registrations(derivations):
    """Output -> when the store took it in, of the outputs that are there. None if Nix does not tell."""
    paths = [f"{STORE}/{output}" for derivation in derivations.values() for output in derivation.outputs]
    present = [path for path in paths if os.path.lexists(path)]
    if not present:
        return {}
    try:
        return parse_registrations(run(*NIX, "path-info", "--json", *present))
    except NixError:
        return None


def parse_registrations(text):
    """From what `nix path-info --json` prints: a list up to Nix 2.18, later an object by path."""
    described = json.loads(text)
    if isinstance(described, dict):
        described = described.get("info", described)
        described = [{"path": path, **(fields or {})} for path, fields in described.items()]
    return {base(fields["path"]): fields["registrationTime"] for fields in described if fields.get("registrationTime")}


def measure(identities, say=lambda text: None):
    """Yields (id, seconds) after building each again, one after the other. Raises NixError if one fails."""
    for position, identity in enumerate(identities, 1):
        path = f"{STORE}/{identity}"
        run("nix-store", "--realise", path)  # only what has been built can be built again
        say(f"[{position}/{len(identities)}] {identity[33:-4]} …")
        begin = time.monotonic()
        done = subprocess.run(["nix-store", "--realise", "--check", path], capture_output=True, text=True)
        if done.returncode:
            raise NixError(f"building {identity} again failed:\n{done.stderr.strip()}")
        seconds = time.monotonic() - begin
        say(f" {seconds:.1f} s\n")
        yield identity, seconds
