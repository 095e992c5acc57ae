"""What a package holds, as a tree."""

from __future__ import annotations

from torch.package.glob_group import GlobGroup


class Directory:
    """A folder or file in a package; str() draws the tree."""

    def __init__(self, name: str, is_dir: bool) -> None:
        self.name, self.is_dir, self.children = name, is_dir, {}

    def _get_dir(self, dirs):
        place = self
        for name in dirs:
            place = place.children.setdefault(name, Directory(name, True))
        return place

    def _add_file(self, path):
        *dirs, name = path.split("/")
        self._get_dir(dirs).children[name] = Directory(name, False)

    def has_file(self, filename: str) -> bool:
        """Whether there is a file of that path."""
        place = self
        for name in filename.split("/"):
            place = place.children.get(name)
            if place is None:
                return False
        return True

    def __str__(self):
        lines = []
        self._draw(lines, "")
        return "\n".join(lines) + "\n"

    def _draw(self, lines, indent):
        if not lines:
            lines.append(f"─── {self.name}")
            indent = "    "
        children = sorted(self.children.values(), key=lambda child: (not child.is_dir, child.name))
        for place, child in enumerate(children):
            last = place == len(children) - 1
            lines.append(f"{indent}{'└──' if last else '├──'} {child.name}")
            child._draw(lines, indent + ("    " if last else "│   "))


def _create_directory_from_file_list(filename, file_list, include="**", exclude=()):
    tree = Directory(filename, True)
    wanted = GlobGroup(include, exclude=exclude, separator="/")
    for path in file_list:
        if wanted.matches(path):
            tree._add_file(path)
    return tree
