"""The commands that README, CONTRIBUTING, the guides and the templates show: what can be run here is run, of the others it is
verified that what they name is there. A command that no rule knows is a failure.

python tests/docs/commands.py ROOT
"""

import pathlib
import re
import shlex
import subprocess
import sys
import tomllib

DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/adding-an-operator.md",
    "docs/guide/*.md",
    "docs/site/index.md",
    "templates/*/README.md",
)
COMMAND = re.compile(
    r"^(?:\w+=\S+ )*(?:\./nixw|path/to/\S*nixw|nix|pytest|python|pip|cmake|env/bin/\w+|\.ci/\w+|tests/[\w/]+|git|mkdir)\b"
)


def commands(text):
    """The lines of indented blocks, and what stands between backquotes, as far as they are commands."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL).replace(" \\\n", " ")
    for line in re.findall(r"^    (\S.*)$", text, re.MULTILINE):
        yield from (part.strip() for part in re.split(r" && |\s+#.*$", line) if COMMAND.match(part.strip()))
    for code in re.findall(r"`([^`\n]+)`", re.sub(r"^    .*$", "", text, flags=re.MULTILINE)):
        if " " in code and "…" not in code and COMMAND.match(code):
            yield code


class Rules:
    def __init__(self, root):
        self.root = root
        self.libraries = tomllib.loads((root / "lib/libraries.toml").read_text())
        # Names of the flake's outputs, without Nix: a word of the file that lists them.
        self.outputs, self.checks = (
            set(re.findall(r"[\w-]+", re.sub(r"#.*", "", (root / f"nix/{name}.nix").read_text())))
            for name in ("outputs", "checks")
        )
        self.run = {}

    def output(self, *arguments):
        """What a command prints, remembered; None where it fails."""
        if arguments not in self.run:
            done = subprocess.run(arguments, cwd=self.root, text=True, capture_output=True)
            self.run[arguments] = done.stdout if done.returncode == 0 else None
        return self.run[arguments]

    def wrong(self, command):
        """What is wrong with a command, or None."""
        words = [word for word in shlex.split(command) if not re.fullmatch(r"[A-Z_]+=.*", word)]
        program = words[0].rpartition("/")[2] if "nixw" in words[0] else words[0]
        for start, rule in (
            (("nixw",), self.nix),
            (("nix", "registry"), lambda words: None),
            (("nix",), self.nix),
            (("pytest",), self.pytest),
            (("python", "-m", "pytest"), lambda words: self.pytest(words[2:])),
            (("python", "-m"), self.module),
            (("python", "setup.py"), self.setup),
            (("python",), lambda words: self.file(words[-1]) if words[-1].endswith(".py") else None),
            (("pip",), lambda words: None if words[1] == "install" else f"pip {words[1]}"),
            (("cmake",), lambda words: self.file(words[words.index("-S") + 1]) if "-S" in words else None),
            (("git",), lambda words: None if words[1] in ("clone", "add") else f"git {words[1]}"),
            (("mkdir",), lambda words: None),
            (("env/bin/pip",), lambda words: None),  # tests/packages/run.sh does it
            (("env/bin/python",), lambda words: None),
        ):
            if (program, *words[1:])[: len(start)] == start:
                return rule(words)
        return self.file(words[0])

    def file(self, name):
        """A file of the repository, or one that the reader has made or is to make."""
        places = (self.root, *self.root.glob("templates/*"))
        own = ("script.py", "five.py", "program.py")
        return None if name in own or any((place / name).exists() for place in places) else f"there is no {name}"

    def nix(self, words):
        if words[1] not in ("build", "run", "develop", "shell", "flake", "fmt", "eval"):
            return f"nix {words[1]}"
        for word in words[2:]:
            if word == "--":
                break
            attribute = word.partition("#")[2].partition("^")[0].split(".")
            if not attribute[0]:
                continue
            if attribute[0] == "checks":
                found = attribute[2] in self.checks
            else:
                found = attribute[0] in {*self.outputs, *self.libraries}
            if not found:
                return f"the flake has no {'.'.join(attribute)}"
        return None

    def pytest(self, words):
        missing = [word for word in words[1:] if "/" in word and self.file(word)]
        made_by_the_page = "difference" in words  # tests/recipe runs it
        if missing or made_by_the_page or len(words) == 1:
            return f"there is no {missing[0]}" if missing else None
        listed = self.output(sys.executable, "-m", "pytest", "--collect-only", "-q", *words[1:])
        return None if listed and "::" in listed else "selects no test"

    def module(self, words):
        folder = self.root / words[2].replace(".", "/")
        there = folder.with_suffix(".py").exists() or (folder / "__init__.py").exists()
        return None if there or words[2] in ("venv", "pip") else f"there is no module {words[2]}"

    def setup(self, words):
        listed = self.output(sys.executable, "setup.py", "--help-commands") or ""
        for word in words[2:]:
            if not word.startswith("-") and words[words.index(word) - 1] != "--only" and f"  {word} " not in listed:
                return f"setup.py has no command {word}"
        if "--only" in words and words[words.index("--only") + 1] not in self.libraries:
            return f"there is no library {words[words.index('--only') + 1]}"
        return None


def main(root):
    rules, wrong, count = Rules(root), [], 0
    for pattern in DOCUMENTS:
        for document in sorted(root.glob(pattern)):
            for command in commands(document.read_text()):
                count += 1
                if why := rules.wrong(command):
                    wrong.append(f"{document.relative_to(root)}: `{command}`: {why}")
    # The rules find what they are there for.
    for lie in ("pytest tests/test_tiny.py -k no_such", "./nixw build .#torhc", "python setup.py devlop", "python missing.py",
                "nix flake init -t path/to/torch#projcet", "python setup.py build_deps --only THNM", "tests/no/such"):  # fmt: skip
        if not rules.wrong(lie):
            wrong.append(f"`{lie}` was not noticed")
    print("\n".join(wrong) or f"{count} commands")
    print(f"{count - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or count < 30 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
