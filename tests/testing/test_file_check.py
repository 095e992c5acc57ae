"""torch.testing.FileCheck: what it finds, what it refuses, and with which words."""

import pytest
from torch.testing import FileCheck

TEXT = "alpha beta\ngamma beta\ndelta\n"
MARKED = "  x = 1\n  y = 2\n  ~~~~~ <--- HERE\n"

FOUND = [
    lambda f: f.check("alpha").check("gamma"),
    lambda f: f.check_not("nothing"),
    lambda f: f.check("gamma").check_not("alpha"),
    lambda f: f.check_not("delta").check("gamma"),
    lambda f: f.check_count("beta", 1),
    lambda f: f.check_count("beta", 2, exactly=True),
    lambda f: f.check_count("beta", 2, True).check("delta"),
    lambda f: f.check_count("alpha", 1, True).check_count("beta", 2, True),
    lambda f: f.check("alpha").check_same("beta"),
    lambda f: f.check("alpha").check_next("gamma"),
    lambda f: f.check("alpha").check_next("beta"),
    lambda f: f.check_same("alpha"),
    lambda f: f.check_dag("gamma").check_dag("alpha").check("delta"),
    lambda f: f.check_dag("gamma").check_not("alpha").check_dag("delta"),
    lambda f: f.check_regex("a.pha").check("beta"),
    lambda f: f.check(""),
]
REFUSED = [
    (lambda f: f.check("gamma").check("alpha"), 'Expected to find "alpha" but did not find it'),
    (lambda f: f.check_not("beta"), 'Expected to not find "beta" but found it'),
    (lambda f: f.check("alpha").check_not("gamma").check("delta"), 'Expected to not find "gamma" but found it'),
    (lambda f: f.check_not("gamma").check("delta"), 'Expected to not find "gamma" but found it'),
    (lambda f: f.check_count("beta", 1, True), 'Expected to not find "beta" but found it'),
    (lambda f: f.check_count("beta", 3), 'Expected to find "beta" but did not find it'),
    (lambda f: f.check("alpha").check_same("gamma"), r'Expected to not find "\\n" but found it'),
    (lambda f: f.check("alpha").check_next("delta"), r'Expected to not find "\\n" but found it'),
    (lambda f: f.check_next("alpha"), 'Expected to find "alpha" but did not find it'),
    (lambda f: f.check_dag("delta").check_dag("alpha").check("gamma"), 'Expected to find "gamma"'),
    (lambda f: f.check_dag("delta").check_dag("zeta"), 'Expected to find "zeta"'),
    (lambda f: f.check_regex("^gamma"), 'Expected to find regex "\\^gamma" but did not find it'),
    (lambda f: f, "No checks have been added"),
]


@pytest.mark.parametrize("build", FOUND)
def test_pieces_that_are_there(build):
    assert build(FileCheck()).run(TEXT) is None


@pytest.mark.parametrize(("build", "text"), REFUSED)
def test_pieces_that_are_not(build, text):
    with pytest.raises(RuntimeError, match=text):
        build(FileCheck()).run(TEXT)


def test_highlighted_source():
    FileCheck().check_source_highlighted("y = 2").run(MARKED)
    with pytest.raises(RuntimeError, match='Expected to find "x"highlighted but it is not'):
        FileCheck().check_source_highlighted("x").run(MARKED)


@pytest.mark.parametrize(
    ("checks", "text"),
    [
        ("# CHECK: alpha\n# CHECK-NEXT: gamma\n", None),
        ("#CHECK: alpha\n# CHECK-NOT: zeta\n# CHECK-COUNT-1: beta", None),
        ("# CHECK-COUNT-EXACTLY-2: beta", None),
        ("# CHECK-COUNT-EXACTLY-1: beta", 'Expected to not find "beta"'),
        ("# CHECK-DAG: gamma\n# CHECK-DAG: alpha", None),
        ("# CHECK-REGEX: al.*", None),
        ("text # CHECK: zeta", 'Expected to find "zeta"'),
        ("CHECK: alpha", "No checks have been added"),
        ("# CHECK-BLA: alpha", "Could not parse check at:"),
        ("# CHECK-COUNT: alpha", "Could not parse check at:"),
        ("# CHECK:", "Could not parse check at:"),
        ("# CHECK alpha", "Could not parse check at:"),
    ],
)
def test_checks_from_a_text(checks, text):
    if text is None:
        return FileCheck().run(checks, TEXT)
    with pytest.raises(RuntimeError, match=text):
        FileCheck().run(checks, TEXT)


def test_an_object_that_has_not_run_says_so(capfd):
    check = FileCheck().check("zeta")
    del check
    assert capfd.readouterr().out == "You have not run this instance of FileCheck!\nFileCheck checks:\n\tCHECK: zeta\n"


def test_mistakes():
    with pytest.raises(TypeError):
        FileCheck().run(3)
    with pytest.raises(TypeError):
        FileCheck().check(3)
    with pytest.raises(RuntimeError, match="Count == 0 && !exactly"):
        FileCheck().check_count("a", 0)
