"""python -m torch.utils.show_pickle FILE: what a pickle holds, without making any of its objects. FILE is a pickle,
archive.zip@member.pkl, or archive.zip@*/pattern.*, whose first member is shown."""

import fnmatch
import pickle
import pprint
import struct
import sys
import zipfile


class FakeObject:
    """An object of a class that is only named: the arguments it was made with, its state, if it was given one, and the
    items that were put into it, if it is a dictionary."""

    def __init__(self, module, name, args):
        self.module, self.name, self.args = module, name, args
        self.state = None
        self.held = {}

    def __repr__(self):
        state = "" if self.state is None else f"(state={self.state!r})"
        return f"{self.module}.{self.name}{self.args!r}{state}" + (repr(self.held) if self.held else "")

    def __setitem__(self, key, value):
        self.held[key] = value

    def __setstate__(self, state):
        self.state = state

    @staticmethod
    def pp_format(printer, obj, stream, indent, allowance, context, level):
        """Writes it for pprint: arguments and state in lines of their own where they are long."""
        stream.write(f"{obj.module}.{obj.name}")
        if obj.args or obj.state is None:
            printer._format(obj.args, stream, indent + 1, allowance + 1, context, level)
        if obj.state is not None:
            inner = indent + printer._indent_per_level
            stream.write(("" if obj.args else "()") + "(state=\n" + " " * inner)
            printer._format(obj.state, stream, inner, allowance + 1, context, level + 1)
            stream.write(")")
        if obj.held:
            printer._format(obj.held, stream, indent, allowance + 1, context, level + 1)


class FakeClass:
    """A class or function by its name; calling it makes a FakeObject."""

    def __init__(self, module, name):
        self.module, self.name = module, name
        self.__new__ = self.fake_new

    def __repr__(self):
        return f"{self.module}.{self.name}"

    def __call__(self, *args):
        return FakeObject(self.module, self.name, args)

    def fake_new(self, *args):
        return FakeObject(self.module, self.name, args[1:])


class DumpUnpickler(pickle._Unpickler):
    """Reads a pickle with a FakeClass for each name, so that no code of the file's choosing runs."""

    def __init__(self, file, *, catch_invalid_utf8=False, **kwargs):
        super().__init__(file, **kwargs)
        self.catch_invalid_utf8 = catch_invalid_utf8

    def find_class(self, module, name):
        return FakeClass(module, name)

    def persistent_load(self, pid):
        return FakeObject("pers", "obj", (pid,))

    def load_binunicode(self):
        """Text; what is no UTF-8 becomes a FakeObject that says so, with catch_invalid_utf8."""
        (length,) = struct.unpack("<I", self.read(4))
        data = self.read(length)
        try:
            self.append(str(data, "utf-8", "surrogatepass"))
        except UnicodeDecodeError as error:
            if not self.catch_invalid_utf8:
                raise
            self.append(FakeObject("builtin", "UnicodeDecodeError", (str(error),)))

    dispatch = dict(pickle._Unpickler.dispatch)
    dispatch[pickle.BINUNICODE[0]] = load_binunicode

    @classmethod
    def dump(cls, in_stream, out_stream):
        """Writes what a pickle holds to a text file, and returns it."""
        value = cls(in_stream).load()
        pprint.pprint(value, stream=out_stream)
        return value


pprint.PrettyPrinter._dispatch[FakeObject.__repr__] = FakeObject.pp_format


def main(argv, output_stream=None):
    """Of the arguments [program, FILE]. Returns 2 where they are others, and writes how it is called."""
    if len(argv) != 2:
        if output_stream is not None:
            raise ValueError(f"main takes [program, FILE], not {argv}")
        sys.stderr.write(f"usage: show_pickle PICKLE_FILE\n{__doc__}\n")
        return 2
    path, _, member = argv[1].partition("@")
    if not member:
        with open(path, "rb") as file:
            DumpUnpickler.dump(file, output_stream)
        return None
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        found = next((name for name in names if name == member or fnmatch.fnmatch(name, member)), None)
        if found is None:
            raise FileNotFoundError(f"Could not find member matching {member} in {path}, which has {names}")
        with archive.open(found) as file:
            DumpUnpickler.dump(file, output_stream)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv))
