"""docs/examples/*.txt: sessions of Python, each below a line with the name that it shows. tests/docs runs them and compares.

What is another form of a name that has an example is shown by that one, in its own words.
"""

import re

# (a form, what it is a form of, whether the example says the form's name instead)
FORMS = (
    (r"torch\.return_types\.linalg_(\w+?)(_out)?", r"torch.linalg.\1", False),
    (r"torch\.return_types\.(\w+?)(_out)?", r"torch.\1", False),
    (r"torch\.nn\.init\.(\w+[^_])", r"torch.nn.init.\1_", True),
)


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


def derived(name, examples):
    """The session of the name of which this one is another form, or None."""
    for form, of, renamed in FORMS:
        match = re.fullmatch(form, name)
        base = match and match.expand(of)
        if base in examples:
            words = [base.removeprefix("torch."), name.removeprefix("torch.")]
            return re.sub(rf"\b{re.escape(words[0])}\b", words[1], examples[base]) if renamed else examples[base]
    return None


def shown(names, examples):
    """The session of the first of a page's names that has one."""
    own = (examples[name] for name in names if name in examples)
    return next(own, None) or next(filter(None, (derived(name, examples) for name in names)), None)
