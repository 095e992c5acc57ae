"""Pipes of what files mean, by their extensions."""

import warnings

from .._checks import length
from .._decorator import functional_datapipe
from ..datapipe import IterDataPipe
from ..utils.decoder import Decoder, basichandlers, extension_extract_fn, imagehandler


@functional_datapipe("routed_decode")
class RoutedDecoderIterDataPipe(IterDataPipe):
    """Pairs of a path and what its file means, of pairs of a path and bytes or a stream: by handlers, functions of an
    extension and bytes; those for texts, numbers and pictures if none is given. key_fn: the extension of a path."""

    def __init__(self, datapipe, *handlers, key_fn=extension_extract_fn):
        warnings.warn(
            "`RoutedDecoderIterDataPipe` and its functional API `.routed_decode()` are deprecated: use `map`",
            FutureWarning,
            stacklevel=2,
        )
        self.datapipe = datapipe
        self.decoder = Decoder(*(handlers or (basichandlers, imagehandler("torch"))), key_fn=key_fn)

    def add_handler(self, *handler):
        """Has these handlers asked first."""
        self.decoder.add_handler(*handler)

    def __iter__(self):
        for pair in self.datapipe:
            path, value = pair[0], pair[1]
            yield path, self.decoder((path, value))[path]

    def __len__(self):
        return length(self.datapipe, self)
