"""And away with it."""

from checkout import paths, run


def test_clean_removes_what_was_built_and_nothing_else(tree, untouched, setup, python):
    mine = ["torch/mine.py", "lib/TH/build.txt", "notes/build/plan.txt"]
    for path in mine:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("mine")
    assert paths(tree) - untouched - {*mine, "notes", "notes/build"}
    before = {path: (tree / path).read_bytes() for path in untouched if (tree / path).is_file()}
    setup("clean")
    assert paths(tree) - {*mine, "notes", "notes/build"} == untouched
    assert {path: (tree / path).read_bytes() for path in before} == before
    assert "python setup.py develop" in run(python, "-c", "import torch", cwd=tree, status=1)
    setup("clean")
