"""PyTorchFileReader and PyTorchFileWriter: the archives of torch.save record by record."""

import os

import torch
from torch._serialization import archive, zipped


class PyTorchFileReader:
    """The records of an archive: a path, or a file object that can be read and sought."""

    def __init__(self, file):
        self._owned = open(file, "rb") if isinstance(file, (str, os.PathLike)) else None
        try:
            self._reader = archive.Reader(self._owned or file)
        except BaseException:
            if self._owned:
                self._owned.close()
            raise

    def get_all_records(self):
        """The names of all records."""
        return self._reader.names()

    def has_record(self, name):
        """Whether there is a record of that name."""
        return name in self._reader

    def get_record(self, name):
        """A record's bytes. RuntimeError where there is none of that name."""
        return self._reader.read(name)

    def get_record_size(self, name):
        """How many bytes a record has."""
        return self._reader.find(name).size

    def get_record_offset(self, name):
        """Where in the file a record's bytes begin."""
        return self._reader.find(name).start

    def get_storage_from_record(self, name, numel, dtype):
        """A tensor, a vector of `numel` elements of `dtype`, of a record's bytes."""
        data = bytearray(self.get_record(name))
        if len(data) < numel * dtype.itemsize:
            raise RuntimeError(f"record {name!r} of {len(data)} bytes does not hold {numel} elements of {dtype}")
        return torch.frombuffer(data, dtype=dtype, count=numel) if numel else torch.empty(0, dtype=dtype)

    def serialization_id(self):
        """The digits that tell one archive from another; "" in files that have none."""
        return self.get_record(".data/serialization_id").decode() if self.has_record(".data/serialization_id") else ""


class PyTorchFileWriter:
    """An archive to be written record by record: to a path, or to a file object. write_end_of_file() completes it."""

    def __init__(self, file, compute_crc32=True, storage_alignment=archive.ALIGNMENT):
        if storage_alignment != archive.ALIGNMENT:
            raise NotImplementedError(f"storage_alignment={storage_alignment}: records begin at multiples of 64 here")
        path = isinstance(file, (str, os.PathLike))
        self._name = zipped.stem_of(file) if path else "archive"
        self._owned = open(file, "wb") if path else None
        self._writer = archive.Writer(self._owned or file, self._name, compute_crc32)
        self._records, self._id = set(), ""

    def archive_name(self):
        """The folder in the archive."""
        return self._name

    def set_min_version(self, version):
        """The oldest version that can read it: at least 3, which is written anyway."""
        if version > 3:
            raise RuntimeError(f"archives of version 3 are written, not {version}")

    def write_record(self, name, data, size):
        """Adds the first `size` bytes of a str, of bytes or of a storage."""
        if name in self._records:
            raise RuntimeError(f"Tried to serialize file twice: {name}")
        if isinstance(data, torch.UntypedStorage):
            data = memoryview(data.cpu())
        elif isinstance(data, str):
            data = data.encode()
        if len(data) < size:
            raise ValueError(f"record {name!r}: {size} of {len(data)} bytes are to be written")
        self._writer.record(name, data[:size])
        self._records.add(name)

    def get_all_written_records(self):
        """The names of the records so far."""
        return set(self._records)

    def write_end_of_file(self):
        """Adds the directory; no record can follow."""
        self._writer.close()
        self._records |= {"version", ".data/serialization_id"}
        if self._owned:
            self._owned.close()

    def __del__(self):
        if getattr(self, "_owned", None):
            self._owned.close()
