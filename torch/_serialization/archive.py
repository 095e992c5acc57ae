"""The zip archives of torch.save: nothing compressed, every record's bytes at a multiple of 64 so that they can be
mapped into memory. Zip's 64-bit fields are written where a number needs them.

The reader trusts nothing: every offset and size is checked against the file before it is used, records may not overlap,
checksums are compared, and what a compressed record may grow to is limited by the file's size."""

import struct
import zlib
from dataclasses import dataclass

ALIGNMENT = 64
# Compressed records (other zip programs make them) may grow to this many times the file's size, and a little.
MOST_GROWTH, SMALL = 100, 1 << 24

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_FLAGS, _EMPTY_FLAGS = 0x0808, 0x0800  # names are UTF-8; checksum and sizes follow the data, if there are any
_MOST32, _MOST16 = 0xFFFFFFFF, 0xFFFF


class Writer:
    """Writes records one after the other to a file object that only needs `write`."""

    def __init__(self, file, stem, checksums=True):
        self._file, self._stem, self._checksums = file, stem, checksums
        self._at = 0
        self._directory = []
        self._hash = 0

    def _write(self, data):
        # Raw files may write less than they were given.
        view = memoryview(data).cast("B") if len(data) else b""
        while len(view):
            written = self._file.write(view)
            if written is None or written == len(view):
                break
            view = view[written:]
        self._at += len(data)

    def record(self, name, data):
        """Adds a record: bytes, or an object with the buffer protocol."""
        full = f"{self._stem}/{name}".encode()
        size, start = len(data), self._at
        big = size >= _MOST32 or start >= _MOST32
        wide = struct.pack("<2H2Q", 1, 16, size, size) if big else b""
        padding = -(start + _LOCAL.size + len(full) + len(wide) + 4) % ALIGNMENT
        extra = wide + struct.pack("<2s1H", b"FB", padding) + b"Z" * padding
        flags, needs = _FLAGS if size else _EMPTY_FLAGS, 45 if big else 0
        sizes = (_MOST32, _MOST32) if big else (0, 0)
        crc = zlib.crc32(data) if self._checksums else 0
        self._write(_LOCAL.pack(b"PK\3\4", needs, flags, 0, 0, 0, 0, *sizes, len(full), len(extra)) + full + extra)
        self._write(data)
        if size:
            self._write(struct.pack("<4sL2Q" if big else "<4s3L", b"PK\7\10", crc, size, size))
        self._directory.append((full, crc, size, start))
        self._hash = zlib.crc32(full + crc.to_bytes(4, "little"), self._hash)

    def close(self):
        """Adds the records that every archive ends with, and the directory."""
        self.record("version", b"3\n")
        digits = f"{zlib.crc32(self._stem.encode()):020d}{self._hash:020d}"
        self.record(".data/serialization_id", digits.encode())
        first = self._at
        for name, crc, size, start in self._directory:
            wide = [size, size] if size >= _MOST32 else []
            wide += [start] if start >= _MOST32 else []
            extra = struct.pack(f"<2H{len(wide)}Q", 1, 8 * len(wide), *wide) if wide else b""
            size32, start32 = min(size, _MOST32), min(start, _MOST32)
            flags, needs = _FLAGS if size else _EMPTY_FLAGS, 45 if wide else 0
            self._write(
                _CENTRAL.pack(
                    b"PK\1\2", 0, needs, flags, 0, 0, 0, crc, size32, size32, len(name), len(extra), 0, 0, 0, 0, start32
                )
                + name
                + extra
            )
        count, length = len(self._directory), self._at - first
        end = self._at
        self._write(_END64.pack(b"PK\6\6", 44, 0x031E, 45, 0, 0, count, count, length, first))
        self._write(_LOCATOR.pack(b"PK\6\7", 0, end, 1))
        short = min(count, _MOST16)
        self._write(_END.pack(b"PK\5\6", 0, 0, short, short, min(length, _MOST32), min(first, _MOST32), 0))


def _fail(what):
    raise RuntimeError(f"PytorchStreamReader failed reading zip archive: {what}")


@dataclass(frozen=True, slots=True)
class Record:
    """Where a record's bytes are."""

    name: str
    start: int  # in the archive
    stored: int  # bytes there
    size: int  # bytes that they mean: more, if the record is compressed
    compressed: bool
    crc: int


class Reader:
    """Reads the records of the archive that a seekable file object holds from `base` to its end."""

    def __init__(self, file, base=0, checksums=True):
        self._file, self._base, self._checksums = file, base, checksums
        self._size = file.seek(0, 2) - base
        self._grown = 0
        found = self._central_directory()
        self.stem = found[0][0].split("/")[0] if found else _fail("there are no records in it")
        self._records = {}
        for record in self._locate(found):
            stem, slash, name = record.name.partition("/")
            if not slash or stem != self.stem:
                _fail(f"record {record.name!r} is not in folder {self.stem!r}")
            self._records[name] = record

    def _read_at(self, start, count):
        if start < 0 or count < 0 or start + count > self._size:
            _fail(f"bytes {start} to {start + count} of a file of {self._size}")
        self._file.seek(self._base + start)
        data = self._file.read(count)
        if len(data) != count:
            _fail(f"the file ends early: {len(data)} of {count} bytes at {start}")
        return data

    def _end(self):
        """Number of records, and where their directory begins and ends."""
        span = min(self._size, _END.size + _MOST16)
        tail = self._read_at(self._size - span, span)
        at = len(tail)
        while True:
            at = tail.rfind(b"PK\5\6", 0, at)
            if at < 0:
                _fail("failed finding central directory")
            # Only that which ends where the file does, lest a comment be taken for it.
            if at + _END.size <= len(tail):
                fields = _END.unpack_from(tail, at)
                if at + _END.size + fields[7] == len(tail):
                    break
        end = self._size - span + at
        count, length, first = fields[4:7]
        if end >= _LOCATOR.size:
            signature, _, end64, _ = _LOCATOR.unpack(self._read_at(end - _LOCATOR.size, _LOCATOR.size))
            if signature == b"PK\6\7":
                fields64 = _END64.unpack(self._read_at(end64, _END64.size))
                if fields64[0] != b"PK\6\6" or fields64[1] != 44 or end64 + _END64.size + _LOCATOR.size != end:
                    _fail("its 64-bit end record is damaged")
                for narrow, wide, most in zip((count, length, first), fields64[7:], (_MOST16, _MOST32, _MOST32)):
                    if narrow not in (wide, most):
                        _fail("its two end records disagree")
                count, length, first = fields64[7:]
                end = end64
        if first + length != end or count * _CENTRAL.size > length:
            _fail(f"a directory of {count} records in {length} bytes at {first} cannot end at {end}")
        return count, first, length

    def _central_directory(self):
        """(name, flags, method, crc, stored, size, header's place) of every record."""
        count, first, length = self._end()
        directory, at, found = self._read_at(first, length), 0, []
        self._limit = first
        for _ in range(count):
            if at + _CENTRAL.size > length:
                _fail("its directory ends early")
            signature, _, _, flags, method, _, _, crc, stored, size, *lengths, start = _CENTRAL.unpack_from(
                directory, at
            )
            name_length, extra_length, comment_length = lengths[:3]
            name_at = at + _CENTRAL.size
            extra_at = name_at + name_length
            at = extra_at + extra_length + comment_length
            if signature != b"PK\1\2" or at > length:
                _fail("its directory is damaged")
            try:
                name = directory[name_at:extra_at].decode()
            except UnicodeDecodeError:
                _fail("a record's name is not UTF-8")
            wide = self._wide(directory[extra_at : extra_at + extra_length])
            if size == _MOST32:
                size = next(wide, None)
            if stored == _MOST32:
                stored = next(wide, None)
            if start == _MOST32:
                start = next(wide, None)
            if None in (size, stored, start):
                _fail(f"record {name!r} lacks its 64-bit sizes")
            found.append((name, flags, method, crc, stored, size, start))
        if at != length:
            _fail("there is more in its directory than records")
        return found

    @staticmethod
    def _wide(extra):
        """The numbers of zip's 64-bit field."""
        at = 0
        while at + 4 <= len(extra):
            kind, length = struct.unpack_from("<2H", extra, at)
            if kind == 1:
                length = min(length, len(extra) - at - 4)
                return iter(struct.unpack_from(f"<{length // 8}Q", extra, at + 4))
            at += 4 + length
        return iter(())

    def _locate(self, found):
        """Records, checked against their own headers, in the order of the directory."""
        spans, records, names = [], [], set()
        for name, flags, method, crc, stored, size, start in found:
            if name in names:
                _fail(f"there are two records {name!r}")
            names.add(name)
            if flags & 1 or method not in (0, 8):
                _fail(f"record {name!r} is encrypted or compressed in a way that is not known")
            if method == 0 and stored != size:
                _fail(f"record {name!r} stores {stored} bytes for {size}")
            header = _LOCAL.unpack(self._read_at(start, _LOCAL.size))
            own_name = self._read_at(start + _LOCAL.size, header[9])
            if header[0] != b"PK\3\4" or own_name != name.encode() or header[3] != method:
                _fail(f"record {name!r} is not where the directory says")
            first = start + _LOCAL.size + header[9] + header[10]
            if first + stored > self._limit:
                _fail(f"record {name!r} of {stored} bytes at {first} goes beyond the directory at {self._limit}")
            spans.append((start, first + stored, name))
            records.append(Record(name, first, stored, size, method == 8, crc))
        spans.sort()
        for (_, end, name), (start, _, other) in zip(spans, spans[1:]):
            if start < end:
                _fail(f"records {name!r} and {other!r} overlap")
        return records

    def __contains__(self, name):
        return name in self._records

    def names(self):
        """Names of the records, without the folder."""
        return list(self._records)

    def find(self, name):
        """The record of that name."""
        try:
            return self._records[name]
        except KeyError:
            raise RuntimeError(f"PytorchStreamReader failed locating file {name}: file not found") from None

    def _check(self, record, data):
        if self._checksums and zlib.crc32(data) != record.crc:
            _fail(
                f"record {record.name!r} is damaged, its checksum differs (torch.serialization.set_crc32_options(False)"
                " reads files that were written without checksums)"
            )

    def read(self, name):
        """A record's bytes."""
        record = self.find(name)
        data = self._read_at(record.start, record.stored)
        if record.compressed:
            self._grown += record.size
            limit = MOST_GROWTH * self._size + SMALL
            if self._grown > limit:
                _fail(f"{self._grown} bytes out of a file of {self._size}: at most {limit} are believed")
            data = self._inflate(record, data)
        self._check(record, data)
        return data

    @staticmethod
    def _inflate(record, data):
        machine = zlib.decompressobj(-15)
        try:
            result = machine.decompress(data, record.size + 1)
        except zlib.error as error:
            _fail(f"record {record.name!r} is damaged: {error}")
        if len(result) != record.size or not machine.eof:
            _fail(f"record {record.name!r} does not have the {record.size} bytes that the directory says")
        return result

    def read_into(self, name, target):
        """The first bytes of a record into a writable buffer, as many as it holds."""
        record = self.find(name)
        target = memoryview(target).cast("B")
        if record.compressed or record.size != len(target) or not hasattr(self._file, "readinto"):
            target[:] = self.read(name)[: len(target)]
            return
        self._file.seek(self._base + record.start)
        at = 0
        while at < len(target):
            count = self._file.readinto(target[at:])
            if not count:
                _fail(f"the file ends early: {at} of {len(target)} bytes of record {name!r}")
            at += count
        self._check(record, target)
