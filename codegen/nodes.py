"""YAML nodes with their places, for messages with file and line. A place is a Where; an entry is (place, node)."""

import yaml

from .errors import DeclarationError, Where, choices


def place(node, where):
    return Where(where.file, where.line + 1 + node.start_mark.line)


def mapping(node, where):
    if not isinstance(node, yaml.MappingNode):
        at = where if node is None else place(node, where)
        raise DeclarationError(at, "expected `key: value` lines")
    entries = {}
    for key, value in node.value:
        if key.value in entries:
            raise DeclarationError(place(key, where), f"key '{key.value}' stands here twice")
        entries[key.value] = (place(key, where), value)
    return entries


def items(entry, where):
    if entry is None:
        return []
    at, node = entry
    if not isinstance(node, yaml.SequenceNode):
        raise DeclarationError(at, "expected a list")
    return [(place(item, where), item) for item in node.value]


def known(entries, allowed):
    for key, (at, _) in entries.items():
        if key not in allowed:
            raise DeclarationError(at, f"unknown key '{key}'; allowed: {choices(allowed)}")


def required(entries, key, where):
    if key not in entries:
        raise DeclarationError(where, f"key '{key}' is missing")
    return entries[key]


def text(at, node):
    if not isinstance(node, yaml.ScalarNode):
        raise DeclarationError(at, "expected one word or line")
    return node.value


def name(at, node):
    word = text(at, node)
    if not word.isidentifier():
        raise DeclarationError(at, f"'{word}' is not a name")
    return word


def one_of(at, node, allowed, what):
    word = text(at, node)
    if word not in allowed:
        raise DeclarationError(at, f"unknown {what} '{word}'; allowed: {choices(allowed)}")
    return word


def truth(at, node):
    return one_of(at, node, ("True", "False"), "truth value") == "True"
