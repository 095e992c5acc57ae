"""Decoders: what the bytes of a file mean, by the extension of its name. A handler is a function of an extension and bytes;
it returns None for an extension that is not its own."""

import io
import json
import os
import pickle
import tempfile

from .common import StreamWrapper

__all__ = [
    "Decoder",
    "ImageHandler",
    "MatHandler",
    "audiohandler",
    "basichandlers",
    "extension_extract_fn",
    "handle_extension",
    "imagehandler",
    "mathandler",
    "videohandler",
]


def _require(package, what, install=None):
    """The package; ModuleNotFoundError, with how to install it, if it is not there."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError as error:
        name = package.partition(".")[0]
        raise ModuleNotFoundError(
            f"Package `{name}` is required to be installed to decode {what}: pip install {install or name}"
        ) from error


def _loaded(data):
    import torch

    return torch.load(io.BytesIO(data))


def _number(data):
    try:
        return int(data)
    except ValueError:
        return None


_BASIC = {
    **dict.fromkeys(("txt", "text", "transcript"), lambda data: data.decode("utf-8")),
    **dict.fromkeys(("cls", "cls2", "class", "count", "index", "inx", "id"), _number),
    **dict.fromkeys(("json", "jsn"), json.loads),
    **dict.fromkeys(("pyd", "pickle"), pickle.loads),
    "pt": _loaded,
}


def basichandlers(extension, data):
    """Texts (txt, text, transcript), numbers (cls, cls2, class, count, index, inx, id), json and jsn, pickles (pyd, pickle),
    and what torch.save has written (pt)."""
    return _BASIC[extension](data) if extension in _BASIC else None


def handle_extension(extensions, f):
    """A handler: f of the data for one of the extensions, which stand in one string, with spaces between. "seg.png" is for
    names whose last two parts are these. The first one that is not longer than the key decides."""
    wanted = [one.split(".") for one in extensions.lower().split()]

    def handler(key, data):
        parts = key.lower().split(".")
        first = next((one for one in wanted if len(one) <= len(parts)), None)
        return f(data) if first is not None and parts[-len(first) :] == first else None

    return handler


# ---- pictures, sounds, matrices ----------------------------------------------------------------------------
_MODES = ("l", "rgb", "rgba")
imagespecs = {
    **{f"{mode}8": ("numpy", "uint8", mode) for mode in _MODES},
    **{mode: ("numpy", "float", mode) for mode in _MODES},
    **{f"torch{mode}8": ("torch", "uint8", mode) for mode in _MODES},
    **{f"torch{mode}": ("torch", "float", mode) for mode in _MODES},
    "torch": ("torch", "float", "rgb"),
    **{f"pil{mode}": ("pil", None, mode) for mode in _MODES},
    "pil": ("pil", None, "rgb"),
}


class ImageHandler:
    """A handler of pictures, by the package PIL. `imagespec`: "pil", "pill", "pilrgb" or "pilrgba" for its images; "l",
    "rgb" or "rgba" for NumPy arrays of float32 in [0, 1], with 8 behind it of uint8; with "torch" before it for tensors,
    whose channels come first."""

    def __init__(self, imagespec):
        if imagespec not in imagespecs:
            raise AssertionError(f"unknown image specification: {imagespec}; there are {', '.join(imagespecs)}")
        self.imagespec = imagespec

    def __call__(self, extension, data):
        if extension.lower() not in ("jpg", "jpeg", "png", "ppm", "pgm", "pbm", "pnm"):
            return None
        image_of = _require("PIL.Image", "pictures", "Pillow").open
        kind, dtype, mode = imagespecs[self.imagespec]
        image = image_of(io.BytesIO(data)).convert(mode.upper())
        if kind == "pil":
            return image
        numpy = _require("numpy", "pictures into arrays")
        array = numpy.asarray(image)
        if dtype == "float":
            array = array.astype("f") / 255.0
        if kind == "numpy":
            return array
        import torch

        return torch.tensor(array if array.ndim == 2 else array.transpose(2, 0, 1))


def imagehandler(imagespec):
    """ImageHandler(imagespec)"""
    return ImageHandler(imagespec)


def _from_file(extension, data, load):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"file.{extension}")
        with open(path, "wb") as file:
            file.write(data)
        return load(path)


def videohandler(extension, data):
    """Films, by the package torchvision."""
    if extension not in ("mp4", "ogv", "mjpeg", "avi", "mov", "h264", "mpg", "webm", "wmv"):
        return None
    return _from_file(extension, data, _require("torchvision.io", "films").read_video)


def audiohandler(extension, data):
    """Sounds, by the package torchaudio."""
    if extension not in ("flac", "mp3", "sox", "wav", "m4a", "ogg", "wma"):
        return None
    return _from_file(extension, data, _require("torchaudio", "sounds").load)


class MatHandler:
    """A handler of MATLAB's files, by the package scipy, whose loadmat gets the arguments."""

    def __init__(self, **loadmat_kwargs):
        self.sio = _require("scipy.io", "MATLAB's files")
        self.loadmat_kwargs = loadmat_kwargs

    def __call__(self, extension, data):
        return self.sio.loadmat(io.BytesIO(data), **self.loadmat_kwargs) if extension == "mat" else None


def mathandler(**loadmat_kwargs):
    """MatHandler(…)"""
    return MatHandler(**loadmat_kwargs)


# ---- all of them -------------------------------------------------------------------------------------------
def extension_extract_fn(pathname):
    """What follows the last dot of a path's name, or ""."""
    return os.path.splitext(pathname)[1].removeprefix(".")


class Decoder:
    """What files mean: for a (path, bytes or stream), or several, {path: value}. The handlers are asked in turn, those that
    were added last first; what none of them knows stays as it is. Bytes of a path that begins with _ are text."""

    def __init__(self, *handler, key_fn=extension_extract_fn):
        self.handlers, self.key_fn = list(handler), key_fn

    def add_handler(self, *handler):
        """Has these handlers asked first."""
        self.handlers = [*handler, *self.handlers]

    @staticmethod
    def _is_stream_handle(data):
        stream = data.file_obj if isinstance(data, StreamWrapper) else data
        return isinstance(stream, (io.BufferedIOBase, io.RawIOBase))

    def decode1(self, key, data):
        """The value of bytes, or of what a stream holds, which is closed, for the extension `key`."""
        if not data:
            return data
        if self._is_stream_handle(data):
            stream, data = data, b"".join(data)
            stream.close()
        values = (handler(key, data) for handler in self.handlers)
        return next((value for value in values if value is not None), data)

    def decode(self, data):
        """{path: value}"""
        result = {}
        for path, value in [data] if isinstance(data, tuple) else data or ():
            if path.startswith("_") and isinstance(value, bytes):
                result[path] = value.decode("utf-8")
            else:
                result[path] = self.decode1(self.key_fn(path), value)
        return result

    def __call__(self, data):
        return self.decode(data)
