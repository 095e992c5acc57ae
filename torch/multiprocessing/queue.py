"""Queues over which tensors go as torch.multiprocessing sends them, also where a connection is wrapped by others."""

import io
import multiprocessing.queues
import pickle
from multiprocessing.reduction import ForkingPickler

__all__ = ["ConnectionWrapper", "Queue", "SimpleQueue"]


class ConnectionWrapper:
    """A connection whose `send` and `recv` use multiprocessing's pickler; the rest is the connection's."""

    def __init__(self, conn):
        self.conn = conn

    def send(self, obj):
        """Pickles and sends an object."""
        buffer = io.BytesIO()
        ForkingPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(obj)
        self.send_bytes(buffer.getvalue())

    def recv(self):
        """Receives and unpickles one."""
        return pickle.loads(self.recv_bytes())

    def __getattr__(self, name):
        if "conn" in self.__dict__:
            return getattr(self.conn, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute 'conn'")


class _Wrapped:
    def _wrap(self):
        self._reader = ConnectionWrapper(self._reader)
        self._writer = ConnectionWrapper(self._writer)


class Queue(_Wrapped, multiprocessing.queues.Queue):
    """multiprocessing's, with wrapped connections."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._wrap()
        self._send = self._writer.send
        self._recv = self._reader.recv


class SimpleQueue(_Wrapped, multiprocessing.queues.SimpleQueue):
    """multiprocessing's, with wrapped connections."""

    def __init__(self, *args, **kwargs):
        if "ctx" not in kwargs and not args:
            kwargs["ctx"] = multiprocessing.get_context()
        super().__init__(*args, **kwargs)
        self._wrap()
