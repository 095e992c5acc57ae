"""What pipes of files are made of: paths, streams, decoders. The results are PyTorch 2.13's."""

import io
import json
import pickle

import pytest
import torch
from torch.utils.data.datapipes.iter import FileLister, FileOpener, IterableWrapper, RoutedDecoder
from torch.utils.data.datapipes.utils import common, decoder
from torch.utils.data.datapipes.utils.common import StreamWrapper


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree/sub").mkdir(parents=True)
    for name in ("a.txt", "b.jpg", "sub/c.txt"):
        (tmp_path / "tree" / name).write_text(name)
    return tmp_path


def test_paths(tree):
    assert [common.match_masks("a.txt", masks) for masks in ("", "*.txt", ["*.j", "*.t*"], [], "*.jpg")] == [
        True
    ] * 4 + [False]
    assert list(common.get_file_pathnames_from_root("tree", "")) == ["tree/a.txt", "tree/b.jpg"]
    found = common.get_file_pathnames_from_root("tree", "*.txt", recursive=True, abspath=True)
    assert list(found) == [str(tree / "tree/a.txt"), str(tree / "tree/sub/c.txt")]
    assert list(FileLister("tree/a.txt")) == ["tree/a.txt"] and not list(FileLister("tree/a.txt", "*.jpg"))
    with pytest.warns(UserWarning, match="nowhere"), pytest.raises(FileNotFoundError):
        list(common.get_file_pathnames_from_root("nowhere", ""))


def test_open_files(tree):
    [(path, stream)] = FileOpener(IterableWrapper(["tree/a.txt"]), mode="b")
    assert path == "tree/a.txt" and isinstance(stream, StreamWrapper) and stream.read() == b"a.txt"
    common.validate_pathname_binary_tuple((path, stream))
    for wrong in (3, ("a",), (1, io.BytesIO()), ("a", "b")):
        with pytest.raises(TypeError):
            common.validate_pathname_binary_tuple(wrong)


def test_streams():
    file = io.BytesIO(b"line1\nline2\n")
    stream = StreamWrapper(file, name="n")
    assert (
        stream.read(3) == b"lin"
        and list(stream) == [b"e1\n", b"line2\n"]
        and repr(stream).startswith("StreamWrapper<n,")
    )
    stream.close()
    assert stream.closed and file.closed
    with pytest.raises(AttributeError, match="nope"):
        stream.nope  # noqa: B018
    with pytest.raises(RuntimeError, match="Parent stream should be StreamWrapper"):
        StreamWrapper(io.BytesIO(), parent_stream=3)


@pytest.mark.parametrize("automatic", [True, False])
def test_an_archive_closes_with_its_last_member(automatic):
    archive = StreamWrapper(io.BytesIO(b"ab"))
    members = [StreamWrapper(io.BytesIO(b"a"), parent_stream=archive) for _ in range(2)]
    if automatic:
        archive.autoclose()
    members[0].close()
    assert not archive.closed and archive.child_counter == 1
    StreamWrapper.close_streams({"rest": [members[1], 3]})
    assert archive.closed is automatic


@pytest.mark.parametrize(
    ("extension", "data", "value"),
    [
        ("txt", b"hi", "hi"),
        ("transcript", b"hi", "hi"),
        ("cls", b"12", 12),
        ("id", b"x", None),
        ("json", json.dumps([1]).encode(), [1]),
        ("pickle", pickle.dumps({"a": 1}), {"a": 1}),
        ("pkl", b"12", None),
        ("TXT", b"hi", None),
    ],
)
def test_basic_handlers(extension, data, value):
    assert decoder.basichandlers(extension, data) == value


def test_saved_tensors():
    """PyTorch's own handler takes pt for the end of transcript."""
    file = io.BytesIO()
    torch.save(torch.arange(3), file)
    assert decoder.basichandlers("pt", file.getvalue()).tolist() == [0, 1, 2]


def test_handlers_by_extension():
    handler = decoder.handle_extension("jpg jpeg", lambda data: ("found", data))
    assert [handler(key, 1) for key in ("jpg", "jpeg", "png", "a.jpg", "JPG")] == [
        ("found", 1),
        None,
        None,
        ("found", 1),
        ("found", 1),
    ]
    longer = decoder.handle_extension("a.b c", len)
    assert [longer(key, "12") for key in ("a.b", "b", "x.a.b", "q.c")] == [2, None, 2, None]
    assert [decoder.extension_extract_fn(path) for path in ("a.txt", "/x/b.tar.gz", "noext")] == ["txt", "gz", ""]


def test_decoder():
    one = decoder.Decoder(decoder.basichandlers)
    assert one([("a.txt", io.BytesIO(b"hi")), ("b.cls", b"7"), ("_c.q", b"t"), ("d.q", b"t")]) == {
        "a.txt": "hi",
        "b.cls": 7,
        "_c.q": "t",
        "d.q": b"t",
    }
    one.add_handler(decoder.handle_extension("txt", len))
    assert one(("a.txt", b"hi")) == {"a.txt": 2}


def test_decoding_pipe():
    pairs = IterableWrapper([("a.txt", io.BytesIO(b"hi")), ("b.json", io.BytesIO(b"[1]"))], deepcopy=False)
    with pytest.warns(FutureWarning, match="routed_decode"):
        pipe = RoutedDecoder(pairs, decoder.basichandlers)
    assert list(pipe) == [("a.txt", "hi"), ("b.json", [1])] and len(pipe) == 2


def test_pictures():
    pytest.importorskip("PIL")
    data = b"P6 2 1 255 " + bytes([255, 0, 0, 0, 51, 255])
    assert decoder.imagehandler("torch")("ppm", data).mul(5).tolist() == [[[5, 0]], [[0, 1]], [[0, 5]]]
    assert decoder.imagehandler("rgb8")("ppm", data).tolist() == [[[255, 0, 0], [0, 51, 255]]]
    assert decoder.imagehandler("pill")("ppm", data).mode == "L"


@pytest.mark.parametrize(
    "call", [lambda: decoder.videohandler("mp4", b""), lambda: decoder.audiohandler("wav", b""), decoder.mathandler]
)
def test_packages_that_are_not_there(call, monkeypatch):
    for package in ("torchvision", "torchvision.io", "torchaudio", "scipy", "scipy.io"):
        monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(ModuleNotFoundError, match="is required to be installed"):
        call()


def test_unknown_pictures():
    with pytest.raises(AssertionError, match="unknown image specification: nope"):
        decoder.ImageHandler("nope")
    assert decoder.imagehandler("pil")("txt", b"") is None
