"""Files of Lua Torch: what load_lua makes of bytes that the writer below puts together, as the format has them."""

import copy
import io
import pickle
import struct

import pytest
import torch
from hypothesis import given, strategies as st
from torch.utils.serialization import T7Reader, T7ReaderException, load_lua


class Ref:
    """An object that has a number in the file; written again, it is the number alone."""

    def __init__(self, kind, *content):
        self.kind, self.content = kind, content


class Writer:
    """Lua Torch's binary format, from its description: little endian, a C long of 8 bytes or of 4."""

    def __init__(self, long="q"):
        self.data, self.numbers, self.long = bytearray(), {}, long

    def put(self, form, *values):
        self.data += struct.pack(f"<{form}", *values)

    def text(self, value):
        value = value.encode() if isinstance(value, str) else value
        self.put("i", len(value))
        self.data += value

    def write(self, value):
        if value is None:
            self.put("i", 0)
        elif isinstance(value, bool):
            self.put("ii", 5, value)
        elif isinstance(value, (int, float)):
            self.put("id", 1, value)
        elif isinstance(value, (str, bytes)):
            self.put("i", 2)
            self.text(value)
        elif value.kind == "function":
            self.put("i", 6)
            self.text(value.content[0])
            self.write(value.content[1])
        else:
            self.put("i", 3 if value.kind == "table" else 8 if value.kind == "closure" else 4)
            known = value in self.numbers
            self.put("i", self.numbers.setdefault(value, len(self.numbers) + 1))
            if not known:
                getattr(self, value.kind)(*value.content)

    def table(self, entries):
        self.put("i", len(entries))
        for key, entry in entries:
            self.write(key)
            self.write(entry)

    def closure(self, code, upvalues):
        self.text(code)
        self.write(upvalues)

    def object(self, name, fields, version="V 1"):
        if version:
            self.text(version)
        self.text(name)
        self.write(fields)

    def storage(self, name, form, values):
        self.text("V 1")
        self.text(f"torch.{name}Storage")
        self.put(f"{self.long}{len(values)}{form}", len(values), *values)

    def tensor(self, name, sizes, strides, offset, storage):
        self.text("V 1")
        self.text(f"torch.{name}Tensor")
        self.put("i" + self.long * (len(sizes) * 2 + 1), len(sizes), *sizes, *strides, offset)
        self.write(storage)


def written(value, **options):
    writer = Writer(**options)
    writer.write(value)
    return bytes(writer.data)


def read(value, long="q", **options):
    return T7Reader(io.BytesIO(written(value, long=long)), **options).read()


def table(*values, **entries):
    return Ref("table", [*enumerate(values, 1), *entries.items()])


# ---- plain objects


@pytest.mark.parametrize("value", [None, True, False, 0, -3, 2.5, 1e300, float("inf"), "text", "Größe", "", 2**53])
def test_plain_objects(value):
    found = read(value)
    assert found == value and type(found) is type(value)


def test_numbers_and_strings_as_lua_has_them():
    assert type(read(4.0)) is int and read(float("nan")) != read(float("nan"))
    assert read(b"\xff\x00\xfe") == b"\xff\x00\xfe"


def test_tables():
    number, text, empty = read(table(10, "b", table()))
    assert (number, text, dict(empty)) == (10, "b", {})
    assert read(Ref("table", [(3, "c"), (1, "a"), (2, "b")])) == ["a", "b", "c"], "in any order"
    found = read(table(name="value", other=table(1, 2)))
    assert dict(found) == {"name": "value", "other": [1, 2]} and isinstance(found, dict)
    for entries in ([(0, "a")], [(2, "b")], [(1, "a"), (3, "c")], [(1.5, "a")], [("1", "a")], [(True, "a")]):
        assert dict(read(Ref("table", entries))) == dict(entries), "this is no list"


def test_the_same_table_twice_is_one():
    inner = table(1, 2)
    first, second = read(table(inner, inner))
    assert first is second and first == [1, 2]


def test_a_table_in_itself():
    outer = Ref("table", None)
    outer.content = ([("self", outer), (1, table(outer))],)
    found = read(outer)
    assert found["self"] is found and found[1][0] is found
    numbered = Ref("table", None)
    numbered.content = ([(1, numbered)],)
    found = read(numbered)
    assert found[1] is found, "there was no list yet when it was needed"


def test_a_table_as_a_key():
    key = table(x=1)
    found = read(Ref("table", [(key, "value"), ("key", key)]))
    assert found[found["key"]] == "value"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: st.lists(inner, min_size=1, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
        max_leaves=12,
    )
)
def test_any_tables(value):
    def lua(value):
        if isinstance(value, list):
            return table(*map(lua, value))
        return table(**{k: lua(v) for k, v in value.items()}) if isinstance(value, dict) else value

    def plain(value):
        if isinstance(value, list):
            return list(map(plain, value))
        return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value

    assert plain(read(lua(value))) == value


# ---- tensors and storages

TYPES = {
    "Byte": ("B", torch.uint8),
    "Char": ("b", torch.int8),
    "Short": ("h", torch.int16),
    "Int": ("i", torch.int32),
    "Long": ("q", torch.int64),
    "Half": ("e", torch.float16),
    "Float": ("f", torch.float32),
    "Double": ("d", torch.float64),
    "Cuda": ("f", torch.float32),
    "CudaDouble": ("d", torch.float64),
    "CudaByte": ("B", torch.uint8),
}


@pytest.mark.parametrize("name", TYPES)
def test_tensors_and_storages_of_each_type(name):
    form, dtype = TYPES[name]
    storage = Ref("storage", name, form, [1, 2, 3, 4, 5, 6, 7])
    found = read(storage)
    assert found.dtype == dtype and found.tolist() == [1, 2, 3, 4, 5, 6, 7]
    found = read(Ref("tensor", name, [2, 3], [3, 1], 2, storage))
    assert found.dtype == dtype and found.tolist() == [[2, 3, 4], [5, 6, 7]]
    found = read(Ref("tensor", name, [3, 2], [1, 3], 1, storage))
    assert found.tolist() == [[1, 4], [2, 5], [3, 6]] and found.stride() == (1, 3)
    expanded = read(Ref("tensor", name, [2, 2], [0, 1], 3, storage))
    assert expanded.tolist() == [[3, 4], [3, 4]]


def test_tensors_that_shared_a_storage_share_it():
    storage = Ref("storage", "Float", "f", [1, 2, 3, 4])
    first = Ref("tensor", "Float", [4], [1], 1, storage)
    whole, part, again = read(table(first, Ref("tensor", "Float", [2], [2], 2, storage), first))
    assert again is whole and part.tolist() == [2, 4]
    part[0] = 9
    assert whole.tolist() == [1, 9, 3, 4]


def test_what_has_no_elements():
    assert read(Ref("storage", "Long", "q", [])).tolist() == []
    for sizes, strides, storage in (([], [], None), ([], [], Ref("storage", "Int", "i", [1, 2])), ([0], [1], None)):
        found = read(Ref("tensor", "Int", sizes, strides, 1, storage))
        assert found.shape == (0,) and found.dtype == torch.int32
    found = read(Ref("tensor", "Int", [2, 0], [1, 1], 1, Ref("storage", "Int", "i", [])))
    assert found.shape == (2, 0)


def test_files_of_systems_with_a_long_of_four_bytes():
    tensor = Ref("tensor", "Long", [2], [1], 1, Ref("storage", "Long", "i", [-5, 7]))
    found = read(tensor, long="i", long_size=4)
    assert found.dtype == torch.int64 and found.tolist() == [-5, 7]
    with pytest.raises(ValueError, match="got 2"):
        T7Reader(io.BytesIO(), long_size=2)


def test_from_a_file(tmp_path):
    path = tmp_path / "model.t7"
    path.write_bytes(written(table(weight=Ref("tensor", "Double", [1], [1], 1, Ref("storage", "Double", "d", [0.5])))))
    assert load_lua(path)["weight"].tolist() == [0.5]
    assert load_lua(str(path), unknown_classes=True)["weight"].tolist() == [0.5]


def test_one_object_after_another():
    reader = T7Reader(io.BytesIO(written("first") + written("second")))
    assert [reader.read(), reader.read()] == ["first", "second"]


# ---- classes


def test_classes_that_are_not_known():
    linear = Ref("object", "nn.Linear", table(bias=1.5, name="fc"))
    with pytest.raises(T7ReaderException, match="at byte .*'nn.Linear'.*unknown_classes=True"):
        read(linear)
    found, again = read(table(linear, linear), unknown_classes=True)
    assert found is again and found.torch_typename() == "nn.Linear"
    assert (found.bias, found.name) == (1.5, "fc") and "nn.Linear" in repr(found)
    with pytest.raises(AttributeError, match="nn.Linear has no field 'weight'"):
        found.weight  # noqa: B018
    for other in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert other.bias == 1.5 and other.torch_typename() == "nn.Linear"


def test_an_object_that_holds_itself_and_one_of_an_old_file():
    node = Ref("object", "Node", None)
    node.content = ("Node", table(me=node))
    assert (found := read(node, unknown_classes=True)).me is found
    assert read(Ref("object", "Old", table(x=1), None), unknown_classes=True).x == 1


def test_functions_are_their_code():
    found = read(Ref("function", b"\x1bLJ", table(1)))
    assert found.torch_typename() == "function" and found.code == b"\x1bLJ" and found.upvalues == [1]
    closure = Ref("closure", b"code", None)
    closure.content = (b"code", table(name="f"))
    first, second = read(table(closure, closure))
    assert first is second and first.code == b"code" and first.upvalues["name"] == "f"


# ---- what is no such file

STORAGE = Ref("storage", "Float", "f", [1, 2, 3, 4])
WHOLE = written(table(1, "text", True, Ref("tensor", "Float", [2, 2], [2, 1], 1, STORAGE), STORAGE, name=table(2)))


def test_every_truncation_is_refused():
    for length in range(len(WHOLE)):
        with pytest.raises(T7ReaderException, match=r"at byte \d+: "):
            T7Reader(io.BytesIO(WHOLE[:length])).read()


def test_every_changed_byte_is_read_or_refused():
    for place in range(len(WHOLE)):
        for value in (0, 1, 0x7F, 0x80, 0xFF):
            changed = WHOLE[:place] + bytes([value]) + WHOLE[place + 1 :]
            try:
                T7Reader(io.BytesIO(changed), unknown_classes=True).read()
            except T7ReaderException:
                pass


@pytest.mark.parametrize(
    "sizes,strides,offset",
    [([5], [1], 1), ([2], [4], 1), ([4], [1], 2), ([-1], [1], 1), ([2], [-1], 2), ([4], [1], 0), ([2**62], [2], 1)],
)
def test_a_tensor_outside_its_storage(sizes, strides, offset):
    with pytest.raises(T7ReaderException, match="over 4 elements"):
        read(Ref("tensor", "Float", sizes, strides, offset, STORAGE))


def test_other_contradictions():
    for value, said in (
        (Ref("tensor", "Double", [1], [1], 1, STORAGE), "a tensor of torch.float64 over TypedStorage torch.float32"),
        (Ref("tensor", "Float", [1], [1], 1, "text"), "over str"),
        (Ref("tensor", "Float", [1], [1], 1, None), r"sizes \[1\] without a storage"),
        (Ref("table", [(table(1), 2)]), "a list is a key"),
        (Ref("table", [(1, "a"), (True, "b")]), "one key for two, True"),
    ):
        with pytest.raises(T7ReaderException, match=said):
            read(value)
    for data, said in (
        (struct.pack("<i", 9), "kind 9"),
        (struct.pack("<ii", 5, 2), "a boolean is 2"),
        (struct.pack("<ii", 2, -1), "a string of -1 bytes"),
        (struct.pack("<ii", 2, 2**31 - 1), "where 0 are left"),
        (struct.pack("<iii", 3, 1, -2), "a table of -2 entries"),
    ):
        with pytest.raises(T7ReaderException, match=said):
            T7Reader(io.BytesIO(data)).read()


def test_tables_in_each_other_without_end():
    data = b"".join(struct.pack("<iiiid", 3, number, 1, 1, 1) for number in range(100000))
    with pytest.raises(T7ReaderException, match="too deep"):
        T7Reader(io.BytesIO(data)).read()
