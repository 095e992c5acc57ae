"""FileCheck: whether a text holds pieces in an order, in the manner of LLVM's tool of that name."""

import re

_NAMES = {"check": "CHECK", "next": "CHECK-NEXT", "same": "CHECK-SAME", "not": "CHECK-NOT", "dag": "CHECK-DAG"}
_NAMES |= {"regex": "CHECK-REGEX", "highlighted": "CHECK-SOURCE-HIGHLIGHTED"}
_KINDS = {name: kind for kind, name in _NAMES.items()}


class _Check:
    """One piece to look for: its kind, how often, and the text."""

    def __init__(self, kind, text, count=0):
        self.kind = kind
        self.text = text
        self.count = count

    def __str__(self):
        name = f"CHECK-COUNT-{self.count}" if self.kind == "count" else _NAMES[self.kind]
        return f"{name}: {self.text}"

    def refuse(self, what, searched):
        raise RuntimeError(f"{what}\nSearched string:\n{searched}\nFrom {self}\n")

    def find(self, whole, start, text=None):
        """(begin, end) of the first place of the text from `start` on."""
        text = self.text if text is None else text
        begin = whole.find(text, start)
        if begin < 0:
            self.refuse(f'Expected to find "{text}" but did not find it', whole)
        return begin, begin + len(text)

    def require_absent(self, whole, start, end, text=None):
        text = self.text if text is None else text
        begin = whole.find(text, start, end)
        if begin >= 0:
            line = whole.rfind("\n", 0, begin) + 1
            after = whole.find("\n", begin)
            after = len(whole) if after < 0 else after
            mark = " " * (begin - line) + "~" * len(text) + " <--- HERE"
            shown = f"{whole[:after]}\n{mark}{whole[after:]}" if "\n" not in text else whole
            raise RuntimeError(f'Expected to not find "{repr(text)[1:-1]}" but found it\n{shown}\nFrom {self}\n')

    def place(self, whole, start):
        """(begin, end) of what it finds from `start` on, the end of the last match."""
        if self.kind == "regex":
            match = re.compile(self.text).search(whole[start:])
            if match is None:
                self.refuse(f'Expected to find regex "{self.text}" but did not find it', whole)
            return start + match.start(), start + match.end()
        if self.kind == "count":
            begin, end = self.find(whole, start)
            for _ in range(self.count - 1):
                _, end = self.find(whole, end)
            return begin, end
        if self.kind == "highlighted":
            return self.find_highlighted(whole, start)
        if self.kind == "next":
            _, start = self.find(whole, start, "\n")
        begin, end = self.find(whole, start)
        if self.kind in ("next", "same"):
            self.require_absent(whole, start, begin, "\n")
        return begin, end

    def find_highlighted(self, whole, start):
        """The first place under all of which the next line has marks: ~."""
        begin, end = self.find(whole, start)
        while True:
            line = whole.rfind("\n", 0, begin) + 1
            below = whole.find("\n", end)
            marks = whole[below + 1 :].split("\n")[0][begin - line : end - line] if below >= 0 else ""
            if marks and marks == "~" * (end - begin):
                return begin, end
            following = whole.find(self.text, end)
            if following < 0:
                raise RuntimeError(f'Expected to find "{self.text}"highlighted but it is not.\n{whole}')
            begin, end = following, following + len(self.text)


class FileCheck:
    r"""Pieces to look for in a text, one after another: each method adds one and returns the object, and run(text) raises
    RuntimeError, with the text, for the first one that is not there.

    >>> FileCheck().check("first").check_not("error").check_count("item", 2).run("first\nitem item\n")

    run(checks, text) takes the pieces from lines of `checks` instead: "# CHECK: first", and CHECK-NOT, CHECK-NEXT,
    CHECK-SAME, CHECK-DAG, CHECK-REGEX, CHECK-SOURCE-HIGHLIGHTED, CHECK-COUNT-2, CHECK-COUNT-EXACTLY-2."""

    def __init__(self):
        self._checks = []
        self._has_run = False

    def _add(self, kind, text, count=0):
        if not isinstance(text, str):
            raise TypeError(f"FileCheck looks for strings, not for {type(text).__name__}")
        self._checks.append(_Check(kind, text, count))
        return self

    def check(self, text):
        """The text comes somewhere after the last piece."""
        return self._add("check", text)

    def check_not(self, text):
        """The text does not come between the last piece and the next one, or the end."""
        return self._add("not", text)

    def check_same(self, text):
        """The text comes in the last piece's line."""
        return self._add("same", text)

    def check_next(self, text):
        """The text comes in the line after the last piece's."""
        return self._add("next", text)

    def check_count(self, text, count, exactly=False):
        """The text comes count times; with `exactly` not again before the next piece, or the end. RuntimeError for a
        count of 0 without it."""
        if count == 0 and not exactly:
            raise RuntimeError("Count == 0 && !exactly doesn't do anything")
        if count:
            self._add("count", text, count)
        return self._add("not", text) if exactly else self

    def check_dag(self, text):
        """The text comes after the last piece; those of neighbouring check_dag() calls in any order."""
        return self._add("dag", text)

    def check_source_highlighted(self, text):
        """The text comes with ~ under all of it in the line below."""
        return self._add("highlighted", text)

    def check_regex(self, text):
        """What the regular expression matches comes after the last piece."""
        return self._add("regex", text)

    def run(self, *texts):
        """Looks for the pieces in a text; of two the first says what to look for. RuntimeError if one is not there, and if
        there is nothing to look for."""
        if not 1 <= len(texts) <= 2 or not all(isinstance(text, str) for text in texts):
            raise TypeError(
                "run(): incompatible function arguments. It takes a text, or checks and a text, but got "
                + ", ".join(type(text).__name__ for text in texts)
            )
        self._has_run = True
        if len(texts) == 2:
            self._parse(texts[0])
        if not self._checks:
            raise RuntimeError("No checks have been added to this instance ofFilecheck! Check for bad input.")
        self._look(texts[-1])

    def _parse(self, text):
        for line in text.split("\n"):
            found = re.search(r"#\s*(CHECK.*)", line)
            if found is None:
                continue
            rule = re.fullmatch(r"(CHECK(?:-[A-Z]+)*?)(?:-COUNT-(EXACTLY-)?(\d+))?: (.*)", found[1])
            if rule is None or (rule[1] not in _KINDS) or (rule[3] and rule[1] != "CHECK"):
                raise RuntimeError(f"Could not parse check at:\n{line}\nCheck for bad input.")
            name, exactly, count, what = rule.groups()
            if count:
                self.check_count(what, int(count), exactly is not None)
            else:
                self._add(_KINDS[name], what)

    def _look(self, whole):
        """Place the pieces; those that must be absent wait for where the next one, or group of any order, begins."""
        at, absent, i = 0, [], 0
        while i < len(self._checks):
            check = self._checks[i]
            if check.kind == "not":
                absent.append(check)
                i += 1
                continue
            group = [check]
            i += 1
            while check.kind == "dag" and i < len(self._checks) and self._checks[i].kind == "dag":
                group.append(self._checks[i])
                i += 1
            places = [piece.place(whole, at) for piece in group]
            for piece in absent:
                piece.require_absent(whole, at, min(begin for begin, _ in places))
            at, absent = max(end for _, end in places), []
        for piece in absent:
            piece.require_absent(whole, at, len(whole))

    def __del__(self):
        if not self._has_run:
            print("You have not run this instance of FileCheck!\nFileCheck checks:")
            for check in self._checks:
                print(f"\t{check}")
