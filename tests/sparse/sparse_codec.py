"""Results of sparse programs as JSON, and their comparison.

    "f64 2x2: 1.5 0 -2 nan"                    a strided tensor: dtype, size, elements in row-major order ("-" is no dimension)
    {"layout": "coo", "coalesced": true, "size": "3x4", "indices": "i64 2x4: …", "values": "f64 4: …"}
    {"layout": "csr", "size": "3x4", "crow": "i64 4: …", "col": "i64 4: …", "values": "f64 4: …"}
    {"is": 3}, {"is": "text"}, {"is": null}    numbers and texts
    [ … ]                                      a tuple or a list
    {"raises": "RuntimeError"}                 the type of an exception, with "says" where its message must contain words

A complex number is two numbers with a comma between them.
"""

import math

SHORT = {
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "int64": "i64",
    "int32": "i32",
    "int16": "i16",
    "int8": "i8",
    "uint8": "u8",
    "bool": "bool",
    "complex128": "c128",
    "complex64": "c64",
}
# Digits that give a float of this dtype back, and how far a result may be off: relatively, and as much absolutely.
DIGITS = {"f64": 17, "c128": 17, "f32": 9, "c64": 9, "f16": 5, "bf16": 4}
TOLERANCE = {"f64": 1e-12, "c128": 1e-12, "f32": 1e-6, "c64": 1e-6, "f16": 2e-3, "bf16": 1.6e-2}
LAYOUTS = ("coo", "csr", "csc", "bsr", "bsc")
# Those of compressed layouts: the names of their two index tensors.
MEMBERS = {
    "csr": ("crow_indices", "col_indices"),
    "bsr": ("crow_indices", "col_indices"),
    "csc": ("ccol_indices", "row_indices"),
    "bsc": ("ccol_indices", "row_indices"),
}


def layout_of(tensor):
    return str(tensor.layout).removeprefix("torch.").removeprefix("sparse_")


def size_text(size):
    return "x".join(map(str, size)) or "-"


def number_text(value, short):
    if isinstance(value, complex):
        return number_text(value.real, short) + "," + number_text(value.imag, short)
    if isinstance(value, float):
        shortest = repr(value) if short in ("f64", "c128") else f"{value:.{DIGITS[short]}g}"
        return shortest.removesuffix(".0")
    return str(int(value))


def strided_text(tensor):
    short = SHORT[str(tensor.dtype).removeprefix("torch.")]
    elements = tensor.detach().flatten().tolist()
    return f"{short} {size_text(tensor.shape)}: " + " ".join(number_text(value, short) for value in elements)


def encode(torch, result):
    """The JSON of a result."""
    if isinstance(result, torch.Tensor):
        layout = layout_of(result)
        if layout == "strided":
            return strided_text(result)
        answer = {"layout": layout, "size": size_text(result.shape)}
        if layout == "coo":
            answer["coalesced"] = result.is_coalesced()
            answer["indices"] = strided_text(result._indices())
            answer["values"] = strided_text(result._values())
            return answer
        compressed, plain = MEMBERS[layout]
        answer["compressed"] = strided_text(getattr(result, compressed)())
        answer["plain"] = strided_text(getattr(result, plain)())
        answer["values"] = strided_text(result.values())
        return answer
    if isinstance(result, torch.Size):
        return {"is": "size " + size_text(result)}
    if isinstance(result, (tuple, list)):
        return [encode(torch, item) for item in result]
    if result is None or isinstance(result, (bool, int, float, str)):
        return {"is": result}
    return {"is": str(result)}


class Strided:
    """A strided tensor as its text says it."""

    def __init__(self, text):
        head, _, body = text.partition(":")
        self.dtype, size = head.split()
        self.size = [] if size == "-" else [int(length) for length in size.split("x")]
        self.elements = [self.parse(word) for word in body.split()]

    def parse(self, word):
        if self.dtype in ("c128", "c64"):
            real, imaginary = word.split(",")
            return complex(float(real), float(imaginary))
        return float(word) if self.dtype in DIGITS else int(word)

    def rows(self):
        """The elements, cut along the first dimension."""
        width = math.prod(self.size[1:])
        return [self.elements[i * width : (i + 1) * width] for i in range(self.size[0])]


def close(one, other, short):
    if isinstance(one, complex):
        return close(one.real, other.real, short) and close(one.imag, other.imag, short)
    if one == other or (one != one and other != other):
        return True
    tolerance = TOLERANCE.get(short, 0)
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def same_strided(want, got):
    want, got = Strided(want), Strided(got)
    return (
        want.dtype == got.dtype
        and want.size == got.size
        and all(close(one, other, want.dtype) for one, other in zip(want.elements, got.elements))
    )


def places_of(indices):
    """One tuple of indices for each entry."""
    return list(zip(*indices.rows())) if indices.size[0] else [()] * indices.size[1]


def in_order(answer):
    """Indices and values of a COO answer whose entries may stand in any order, sorted."""
    indices, values = Strided(answer["indices"]), Strided(answer["values"])
    entries = sorted(zip(places_of(indices), values.rows()), key=lambda entry: (entry[0], [key(x) for x in entry[1]]))
    return [place for place, _ in entries], [value for _, row in entries for value in row], values


def key(value):
    return (value.real, value.imag) if isinstance(value, complex) else (value, 0)


def same_coo(want, got, flags):
    if flags and want["coalesced"] != got["coalesced"]:
        return False
    if flags and want["coalesced"]:
        return same_strided(want["indices"], got["indices"]) and same_strided(want["values"], got["values"])
    places, numbers, values = in_order(want)
    other_places, other_numbers, others = in_order(got)
    return (
        places == other_places
        and values.dtype == others.dtype
        and values.size == others.size
        and all(close(one, other, values.dtype) for one, other in zip(numbers, other_numbers))
    )


def summed(answer):
    """{place: values} of a COO answer, without duplicates and without zeros; of bools, whether one is true."""
    indices, values = Strided(answer["indices"]), Strided(answer["values"])
    entries = {}
    for place, row in zip(places_of(indices), values.rows()):
        entries[place] = [x + y for x, y in zip(entries[place], row)] if place in entries else row
    if values.dtype == "bool":
        entries = {place: [min(x, 1) for x in row] for place, row in entries.items()}
    return {place: row for place, row in entries.items() if any(row)}


def same_meaning(want, got):
    """Whether two COO answers, neither of them coalesced, are the same matrix."""
    one, other, short = summed(want), summed(got), want["values"].split()[0]
    return (
        short == got["values"].split()[0]
        and one.keys() == other.keys()
        and all(close(x, y, short) for place in one for x, y in zip(one[place], other[place]))
    )


def same(want, got, flags=True, loose=False):
    """Whether two results agree; with `flags`, in the flag "coalesced", too. Entries that are not coalesced have no order;
    with `loose` they may be divided otherwise, too."""
    if isinstance(want, str) or isinstance(got, str):
        return isinstance(want, str) and isinstance(got, str) and same_strided(want, got)
    if isinstance(want, list) or isinstance(got, list):
        return (
            isinstance(want, list)
            and isinstance(got, list)
            and len(want) == len(got)
            and all(same(one, other, flags, loose) for one, other in zip(want, got))
        )
    if "is" in want or "is" in got:
        return "is" in want and "is" in got and same_plain(want["is"], got["is"])
    if want["layout"] != got["layout"] or want["size"] != got["size"]:
        return False
    if want["layout"] == "coo" and loose and not want["coalesced"] and not got["coalesced"]:
        return same_meaning(want, got)
    if want["layout"] == "coo":
        return same_coo(want, got, flags)
    return all(same_strided(want[member], got[member]) for member in ("compressed", "plain", "values"))


def same_plain(want, got):
    if isinstance(want, float) and isinstance(got, float):
        return close(want, got, "f32")
    return type(want) is type(got) and want == got


def wrongs(torch, result):
    """What is wrong with the members of a result, as a list of texts: what a debugging build would refuse."""
    if isinstance(result, (tuple, list)):
        return [text for item in result for text in wrongs(torch, item)]
    if not isinstance(result, torch.Tensor) or layout_of(result) == "strided" or result.device.type != "cpu":
        return []
    return wrong_entries(result) if layout_of(result) == "coo" else wrong_rows(result)


def wrong_entries(tensor):
    indices, values = tensor._indices(), tensor._values()
    sparse = indices.shape[0]
    if list(values.shape) != [indices.shape[1], *tensor.shape[sparse:]]:
        return [f"values of size {tuple(values.shape)} with {indices.shape[1]} entries"]
    places = list(zip(*indices.tolist())) if sparse else []
    texts = [
        f"index {place} in {tuple(tensor.shape)}"
        for place in places
        if not all(0 <= index < length for index, length in zip(place, tensor.shape))
    ]
    if tensor.is_coalesced() and any(one >= other for one, other in zip(places, places[1:])):
        texts.append("coalesced, but the indices do not increase")
    return texts


def wrong_rows(tensor):
    layout = layout_of(tensor)
    compressed, plain = (getattr(tensor, member)() for member in MEMBERS[layout])
    values = tensor.values()
    batches = compressed.dim() - 1
    if tensor.dim() < batches + 2:
        return [f"{tensor.dim()} dimensions"]
    blocked = layout in ("bsr", "bsc")
    block = values.shape[batches + 1 : batches + 3] if blocked else (1, 1)
    if len(block) != 2:
        return [f"values of size {tuple(values.shape)}"]
    rows, columns = (length // step for length, step in zip(tensor.shape[batches : batches + 2], block))
    if layout in ("csc", "bsc"):
        rows, columns = columns, rows
    texts = []
    if compressed.shape[-1] != rows + 1:
        texts.append(f"{compressed.shape[-1]} compressed indices for {rows} rows")
    if values.shape[batches] != plain.shape[-1]:
        texts.append(f"{values.shape[batches]} values with {plain.shape[-1]} indices")
    if texts:
        return texts
    batch = math.prod(compressed.shape[:-1])
    for ends, places in zip(
        compressed.reshape(batch, rows + 1).tolist(), plain.reshape(batch, plain.shape[-1]).tolist()
    ):
        if ends[0] != 0 or ends[-1] != len(places) or any(one > other for one, other in zip(ends, ends[1:])):
            texts.append(f"compressed indices {ends}")
            continue
        for start, end in zip(ends, ends[1:]):
            line = places[start:end]
            if any(one >= other for one, other in zip(line, line[1:])) or any(not 0 <= x < columns for x in line):
                texts.append(f"indices {line} of {columns}")
    return texts
