"""docs/examples/*.txt: sessions of Python, each below a line with the name that it shows. tests/docs runs them and compares."""

import re


def sections(text):
    """(name, session) of a file: `# torch.add`, and below it the session."""
    parts = re.split(r"^# (torch[\w.]*)$", text, flags=re.MULTILINE)
    for name, session in zip(parts[1::2], parts[2::2]):
        yield name, session.strip("\n")


def session_of(document):
    """What the blocks of a document in Markdown show that are sessions of Python, as one."""
    return "\n".join(re.findall(r"^```python\n(>>> .*?)\n```$", document, flags=re.MULTILINE | re.DOTALL))


def read(folder):
    """{name: session} of all files."""
    found = {}
    for path in sorted(folder.glob("*.txt")):
        for name, session in sections(path.read_text()):
            if name in found:
                raise ValueError(f"{path.name}: a second example of {name}")
            found[name] = session
    return found
