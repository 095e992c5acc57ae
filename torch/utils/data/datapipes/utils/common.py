"""Files for pipes: which ones, opened, and streams that close one another."""

import fnmatch
import io
import os
import warnings

from .._checks import require_parameters

__all__ = [
    "StreamWrapper",
    "get_file_binaries_from_pathnames",
    "get_file_pathnames_from_root",
    "match_masks",
    "validate_input_col",
    "validate_pathname_binary_tuple",
]


def validate_input_col(fn, input_col):
    """ValueError if fn cannot be called with one argument, or with as many as input_col, a list, has entries."""
    require_parameters(fn, input_col)


# ---- paths -------------------------------------------------------------------------------------------------
def match_masks(name, masks):
    """Whether a file's name fits a pattern as a shell has it, or one of a list; no pattern: yes."""
    masks = [masks] if isinstance(masks, str) else masks
    return not masks or masks == [""] or any(fnmatch.fnmatch(name, mask) for mask in masks)


def get_file_pathnames_from_root(root, masks, recursive=False, abspath=False, non_deterministic=False):
    """The files in a folder whose names fit one of the masks, in the order of their names; a path that is a file is
    itself, if it fits. recursive: folders in folders too; abspath: absolute paths; non_deterministic: in any order."""

    def refused(error):
        warnings.warn(f"{error.filename} : {error.strerror}", stacklevel=2)
        raise error

    if os.path.isfile(root):
        path = os.path.abspath(root) if abspath else root
        if match_masks(os.path.basename(path), masks):
            yield path
        return
    for folder, folders, names in os.walk(root, onerror=refused):
        folders.sort()
        here = os.path.abspath(folder) if abspath else folder
        yield from (os.path.join(here, name) for name in sorted(names) if match_masks(name, masks))
        if not recursive:
            return


# ---- streams -----------------------------------------------------------------------------------------------
def get_file_binaries_from_pathnames(pathnames, mode, encoding=None):
    """(path, the file in a StreamWrapper) for one path or several. mode "b" and "t" are "rb" and "rt". TypeError for a path
    that is no string."""
    mode = "r" + mode if mode in ("b", "t") else mode
    for path in [pathnames] if isinstance(pathnames, str) else pathnames:
        if not isinstance(path, str):
            raise TypeError(f"Expected string type for pathname, but got {type(path)}")
        yield path, StreamWrapper(open(path, mode, encoding=encoding))


def validate_pathname_binary_tuple(data):
    """TypeError for what is no pair of a path and a stream."""
    if not isinstance(data, tuple):
        raise TypeError(f"a pair of a path and a stream is a tuple, but got {type(data)}")
    if len(data) != 2:
        raise TypeError(f"a pair of a path and a stream has length 2, but got {len(data)}")
    if not isinstance(data[0], str):
        raise TypeError(f"a path is a string, but got {type(data[0])}")
    if not isinstance(data[1], (io.IOBase, StreamWrapper)):
        raise TypeError(f"a stream is an IOBase, but got {type(data[1])}")


class StreamWrapper:
    """A stream with a name, closed when nobody has it any more. `parent_stream`, such as an archive's of which this is a
    member, counts its children; after `autoclose` it is closed with the last of them."""

    session_streams = {}
    debug_unclosed_streams = False

    def __init__(self, file_obj, parent_stream=None, name=None):
        if parent_stream is not None and not isinstance(parent_stream, StreamWrapper):
            self.closed = True
            raise RuntimeError(f"Parent stream should be StreamWrapper, {type(parent_stream)} was given")
        self.file_obj, self.parent_stream, self.name = file_obj, parent_stream, name
        self.child_counter, self.close_on_last_child, self.closed = 0, False, False
        if parent_stream is not None:
            parent_stream.child_counter += 1
        if StreamWrapper.debug_unclosed_streams:
            StreamWrapper.session_streams[self] = 1

    @classmethod
    def close_streams(cls, v, depth=0):
        """Closes the streams in a tree of dicts, lists and tuples."""
        if depth > 10:
            return
        if isinstance(v, StreamWrapper):
            v.close()
        elif isinstance(v, dict):
            for value in v.values():
                cls.close_streams(value, depth + 1)
        elif isinstance(v, (list, tuple)):
            for value in v:
                cls.close_streams(value, depth + 1)

    def close(self):
        """Closes it, once, and the parent, if that waits for its last child."""
        if self.closed:
            return
        if StreamWrapper.debug_unclosed_streams:
            StreamWrapper.session_streams.pop(self, None)
        parent = self.parent_stream
        if parent is not None:
            parent.child_counter -= 1
            if not parent.child_counter and parent.close_on_last_child:
                parent.close()
        try:
            self.file_obj.close()
        except AttributeError:  # what needs no closing
            pass
        self.closed = True

    def autoclose(self):
        """Closes it when its last child closes: now, if it has none."""
        self.close_on_last_child = True
        if self.child_counter == 0:
            self.close()

    def __getattr__(self, name):
        if name in ("file_obj", "closed"):  # not made yet, or made by pickle
            raise AttributeError(name)
        return getattr(self.file_obj, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *vars(self), *dir(self.file_obj)})

    def __del__(self):
        if not self.__dict__.get("closed", True):
            self.close()

    def __iter__(self):
        yield from self.file_obj

    def __next__(self):
        return next(self.file_obj)

    def __repr__(self):
        name = "" if self.name is None else f"{self.name},"
        return f"StreamWrapper<{name}{self.file_obj!r}>"

    def __getstate__(self):
        return self.file_obj

    def __setstate__(self, file_obj):
        self.__init__(file_obj)
