"""Files of Lua Torch: load_lua."""

from .read_lua_file import T7Reader, T7ReaderException, TorchObject, load_lua

__all__ = ["T7Reader", "T7ReaderException", "TorchObject", "load_lua"]
