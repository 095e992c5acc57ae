"""Whether something came out of a package."""

import types

from torch.package.importer import is_mangled


def is_from_package(obj):
    """Whether a module, or the class of an object, is one that a PackageImporter has made; not what it left to the machine."""
    name = obj.__name__ if type(obj) is types.ModuleType else type(obj).__module__
    return is_mangled(name)
