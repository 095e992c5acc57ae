"""Debian's bible.data as a text file: python bible.py DATA TEXT

The file begins with a title of 84 bytes, then come, as big-endian numbers, the size of a block, the number of blocks, and
where each begins. A block is what compress(1) makes of so many bytes, without the three bytes that it begins with.
"""

import pathlib
import struct
import subprocess
import sys

START = b"\x1f\x9d\x90"  # compress, with codes of up to 16 bits
VERSES = 31102

data = pathlib.Path(sys.argv[1]).read_bytes()
size, count = struct.unpack_from(">II", data, 84)
begins = struct.unpack_from(f">{count}I", data, 92)
blocks = []
for begin, end in zip(begins, (*begins[1:], len(data))):
    # What follows a block is not its own, and gzip ends with a warning about it: 2.
    done = subprocess.run(["gzip", "-dcq"], input=START + data[begin:end], stdout=subprocess.PIPE)
    blocks.append(done.stdout[:size])
text = b"".join(blocks)
verses = text.count(b"\n") - 1
if verses != VERSES or any(len(block) != size for block in blocks[:-1]):
    sys.exit(f"bible.py: {verses} verses in {len(blocks)} blocks; there should be {VERSES}")
pathlib.Path(sys.argv[2]).write_bytes(text)
