"""How torch.save and torch.load do it; torch/serialization.py is what users call.

archive.py   the zip archive: reader and writer
unpickler.py the unpickler of weights_only=True
location.py  devices: what `map_location` says and where storages go
zipped.py    objects into archives and out of them
legacy.py    the formats before 1.6, for reading
files.py     files that are either written whole or left as they were
"""
