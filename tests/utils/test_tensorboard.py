"""torch.utils.tensorboard: what is written is read back with the package tensorboard. Values are PyTorch 2.13's.

Where that package is not installed, importing says so, and that is all that is tested.
"""

import importlib.util
import pathlib
import subprocess
import sys

import pytest
import torch

HAS = importlib.util.find_spec("tensorboard") is not None
needed = pytest.mark.skipif(not HAS, reason="the package tensorboard is not installed")


def test_without_the_package():
    """torch imports without it, and says what is missing when it is wanted."""
    script = (
        "import sys; sys.modules['tensorboard'] = None\n"
        "import torch\n"
        "try:\n    from torch.utils.tensorboard import SummaryWriter\n"
        "except ImportError as error:\n    print(error)"
    )
    root = pathlib.Path(torch.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=root, check=True)
    assert "'tensorboard', which cannot be imported" in done.stdout and "pip install tensorboard" in done.stdout


@pytest.fixture
def writer(tmp_path):
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(tmp_path) as made:
        yield made


def events(folder):
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
    from tensorboard.compat.proto.event_pb2 import Event

    for path in sorted(pathlib.Path(folder).glob("events.out.tfevents.*")):
        for raw in RawEventFileLoader(str(path)).Load():
            yield Event.FromString(raw)


def values(writer):
    """{tag: (step, value)} of what was written into the writer's folder."""
    writer.flush()
    return {value.tag: (event.step, value) for event in events(writer.get_logdir()) for value in event.summary.value}


@needed
def test_scalars(writer):
    writer.add_scalar("old", 1.25, 3, walltime=1000.5)
    writer.add_scalar("new", torch.tensor(2), 4, new_style=True)
    writer.add_scalar("double", 1 / 3, 5, new_style=True, double_precision=True)
    found = values(writer)
    assert found["old"][0] == 3 and found["old"][1].simple_value == 1.25
    assert list(found["new"][1].tensor.float_val) == [2.0]
    assert found["new"][1].metadata.plugin_data.plugin_name == "scalars"
    assert list(found["double"][1].tensor.double_val) == [1 / 3]
    assert 1000.5 in {event.wall_time for event in events(writer.get_logdir())}
    with pytest.raises(ValueError, match="could not convert string to float"):
        writer.add_scalar("x", "y")
    with pytest.raises(AssertionError, match="Tensor should contain one element"):
        writer.add_scalar("x", torch.ones(2))


@needed
def test_what_tensorboard_shows(writer):
    """Read back as tensorboard does for its pages."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    for step in range(3):
        writer.add_scalar("loss/train", 2.0**-step, step)
    writer.add_histogram("weights", torch.arange(4.0), 7)
    writer.add_image("image", torch.zeros(3, 2, 5), 1)
    writer.add_audio("audio", torch.zeros(10), 2)
    writer.add_text("text", "words", 3)
    writer.flush()
    shown = EventAccumulator(str(writer.get_logdir())).Reload()
    tags = shown.Tags()
    assert tags["scalars"] == ["loss/train"] and tags["histograms"] == ["weights"] and tags["images"] == ["image"]
    assert tags["audio"] == ["audio"] and tags["tensors"] == ["text/text_summary"]
    assert [(event.step, event.value) for event in shown.Scalars("loss/train")] == [(0, 1.0), (1, 0.5), (2, 0.25)]
    (histogram,) = shown.Histograms("weights")
    assert histogram.step == 7 and histogram.histogram_value.num == 4 and histogram.histogram_value.sum == 6
    (image,) = shown.Images("image")
    assert (image.step, image.height, image.width) == (1, 2, 5)


@needed
def test_several_scalars_have_folders(writer):
    writer.add_scalars("a/b", {"x": 1, "y": 2.5}, 1)
    writer.flush()
    for name, number in (("x", 1), ("y", 2.5)):
        (value,) = (v for e in events(f"{writer.get_logdir()}/a_b_{name}") for v in e.summary.value)
        assert value.tag == "a/b" and value.simple_value == number


@needed
def test_histograms(writer):
    writer.add_histogram("given", torch.tensor([1, 2, 3]), 2, bins=[0, 1.5, 3, 6])
    writer.add_histogram("default", torch.tensor([-1.0, 0, 0, 2]))
    writer.add_histogram("few", torch.arange(20.0), bins=[*range(21)], max_bins=5)
    writer.add_histogram_raw("raw", 0, 5, 3, 4, 9, [1, 2, 5], [1, 1, 1])
    found = {tag: value.histo for tag, (_, value) in values(writer).items()}
    assert list(found["given"].bucket) == [0, 1, 1, 1] and list(found["given"].bucket_limit) == [0, 1.5, 3, 6]
    assert (found["given"].min, found["given"].max, found["given"].num, found["given"].sum_squares) == (1, 3, 3, 14)
    histogram = found["default"]
    assert (
        sum(histogram.bucket) == 4
        and list(histogram.bucket)[-1] == 1
        and len(histogram.bucket) == len(histogram.bucket_limit)
    )
    assert 2 <= max(histogram.bucket_limit) < 2 * 1.1  # each limit is a tenth larger than the one before
    assert list(found["few"].bucket) == [0, 4, 4, 4, 4, 4]
    assert list(found["raw"].bucket_limit) == [1, 2, 5]
    with pytest.raises(ValueError, match="The input has no element."):
        writer.add_histogram("x", torch.tensor([]))


@needed
def test_images(writer):
    Image = pytest.importorskip("PIL.Image")
    import io

    import numpy

    image = torch.arange(3 * 4 * 5).view(3, 4, 5) / 60
    writer.add_image("chw", image)
    writer.add_image("hwc", (image * 255).to(torch.uint8).permute(1, 2, 0), dataformats="HWC")
    writer.add_image("hw", image[0], dataformats="HW")
    writer.add_images("grid", torch.stack([image] * 3))
    writer.add_image_with_boxes("boxes", torch.zeros(3, 20, 20), torch.tensor([[2, 3, 10, 12]]), labels=["l"])
    writer.add_video("video", torch.rand(1, 4, 3, 8, 8))
    found = {tag: value.image for tag, (_, value) in values(writer).items()}
    pixels = {tag: numpy.asarray(Image.open(io.BytesIO(image.encoded_image_string))) for tag, image in found.items()}
    assert (pixels["chw"] == (image * 255).to(torch.uint8).permute(1, 2, 0).numpy()).all()
    assert (pixels["hwc"] == pixels["chw"]).all() and pixels["hw"].shape == (4, 5, 3)
    assert pixels["grid"].shape == (4, 15, 3) and (pixels["grid"][:, 5:10] == pixels["chw"]).all()
    assert tuple(pixels["boxes"][5, 2]) == (255, 0, 0) and found["video"].encoded_image_string[:3] == b"GIF"
    with pytest.raises(AssertionError, match="size of input tensor and input format are different"):
        writer.add_image("x", torch.ones(2, 2))


@needed
def test_figures(writer):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    writer.add_figure("one", pyplot.figure(figsize=(1, 1), dpi=20))
    writer.add_figure("two", [pyplot.figure(figsize=(1, 1), dpi=20) for _ in range(2)])
    found = {tag: value.image for tag, (_, value) in values(writer).items()}
    assert (found["one"].height, found["one"].width, found["two"].width) == (20, 20, 40)
    assert not pyplot.get_fignums()


@needed
def test_sound_text_and_tensors(writer, capsys):
    writer.add_audio("audio", torch.linspace(-1.2, 1, 100), sample_rate=8000)
    writer.add_text("text", "hello *world*")
    writer.add_tensor("tensor", torch.tensor([[1, 2]]))
    writer.add_tensor("half", torch.tensor([1.5], dtype=torch.bfloat16))
    found = values(writer)
    audio = found["audio"][1].audio
    assert (audio.sample_rate, audio.length_frames, audio.content_type) == (8000, 100, "audio/wav")
    assert audio.encoded_audio_string[:4] == b"RIFF" and "clipped" in capsys.readouterr().out
    assert list(found["text/text_summary"][1].tensor.string_val) == [b"hello *world*"]
    assert list(found["tensor"][1].tensor.int64_val) == [1, 2]
    assert [dim.size for dim in found["tensor"][1].tensor.tensor_shape.dim] == [1, 2]
    assert list(found["half"][1].tensor.half_val) == [0x3FC0]


@needed
def test_curves_charts_and_meshes(writer):
    labels, predictions = torch.tensor([0, 1, 1, 0]), torch.tensor([0.1, 0.9, 0.4, 0.6])
    writer.add_pr_curve("pr", labels, predictions, num_thresholds=5)
    writer.add_custom_scalars(
        {"Taiwan": {"twse": ["Multiline", ["a", "b"]]}, "USA": {"dow": ["Margin", ["a", "b", "c"]]}}
    )
    writer.add_mesh("mesh", torch.ones(1, 4, 3), faces=torch.ones(1, 2, 3, dtype=torch.int), config_dict={"a": 1})
    found = {tag: value for tag, (_, value) in values(writer).items()}
    curve = torch.tensor(list(found["pr"].tensor.float_val)).view(6, 5)
    assert curve[0].tolist() == [2, 2, 1, 1, 0] and curve[1].tolist() == [2, 1, 1, 0, 0]
    assert found["custom_scalars__config__"].tensor.string_val[0].startswith(b"\x12")
    assert found["mesh_VERTEX"].metadata.plugin_data.plugin_name == "mesh" and "mesh_FACE" in found
    with pytest.raises(AssertionError):
        writer.add_custom_scalars_marginchart(["a"])


@needed
def test_hyperparameters(writer):
    from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

    writer.add_hparams(
        {"lr": 0.1, "bs": 3, "name": "n"}, {"accuracy": 0.5}, hparam_domain_discrete={"bs": [1, 3]}, run_name="run"
    )
    found = {v.tag: v for e in events(f"{writer.get_logdir()}/run") for v in e.summary.value}
    assert found["accuracy"].simple_value == 0.5
    content = found["_hparams_/session_start_info"].metadata.plugin_data.content
    start = HParamsPluginData.FromString(content).session_start_info
    assert start.hparams["lr"].number_value == 0.1 and start.hparams["name"].string_value == "n"
    with pytest.raises(TypeError, match="hparam_dict and metric_dict should be dictionary"):
        writer.add_hparams(1, 2)
    with pytest.raises(ValueError, match="value should be one of int, float, str, bool, or torch.Tensor"):
        writer.add_hparams({"a": [1]}, {"b": 1})


@needed
def test_embeddings(writer):
    folder = pathlib.Path(writer.get_logdir())
    writer.add_embedding(
        torch.arange(6.0).view(2, 3), metadata=[["a", 1], ["b", 2]], metadata_header=["x", "y"], tag="a/b"
    )
    assert (folder / "00000/a%2fb/tensors.tsv").read_text() == "0.0\t1.0\t2.0\n3.0\t4.0\t5.0\n"
    assert (folder / "00000/a%2fb/metadata.tsv").read_text() == "x\ty\na\t1\nb\t2\n"
    assert 'tensor_name: "a/b:00000"' in (folder / "projector_config.pbtxt").read_text()
    with pytest.raises(AssertionError, match="#labels should equal with #data points"):
        writer.add_embedding(torch.ones(2, 2), metadata=["a"])


@needed
def test_graphs(writer):
    from tensorboard.compat.proto.graph_pb2 import GraphDef
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Sequential(nn.Linear(3, 4), nn.ReLU())

        def forward(self, x):
            return self.a(x) + 1

    model = Net()
    writer.add_graph(model, torch.ones(2, 3))
    writer.flush()
    (graph,) = (GraphDef.FromString(e.graph_def) for e in events(writer.get_logdir()) if e.HasField("graph_def"))
    nodes = {node.name: node for node in graph.node}
    relu = nodes["Net/Sequential[a]/ReLU[1]/relu"]
    assert relu.op == "aten::relu" and list(relu.input) == ["Net/Sequential[a]/Linear[0]/addmm"]
    assert list(nodes["Net/add"].input) == [relu.name] and list(nodes["output/output.1"].input) == ["Net/add"]
    assert "input/x" in nodes["Net/Sequential[a]/Linear[0]/addmm"].input
    assert nodes["Net/Sequential[a]/Linear[0]/weight"].op == "prim::GetAttr"
    assert not model._forward_hooks and model.a.training
    with pytest.raises(ValueError, match="input_to_model is needed"):
        writer.add_graph(model)


@needed
def test_files(tmp_path):
    from torch.utils.tensorboard import FileWriter, RecordWriter, SummaryWriter

    writer = SummaryWriter(tmp_path / "a", purge_step=5, filename_suffix=".end")
    writer.close()
    found = list(events(tmp_path / "a"))
    assert [event.step for event in found] == [0, 5, 5] and found[2].session_log.status == 1
    (file,) = (tmp_path / "a").iterdir()
    assert file.name.endswith(".end")
    writer.add_scalar("after close", 1)
    writer.close()
    assert len(list((tmp_path / "a").iterdir())) == 2
    other = FileWriter(str(tmp_path / "b"))
    assert other.get_logdir() == str(tmp_path / "b")
    other.close()
    with open(tmp_path / "c", "wb") as raw:
        records = RecordWriter(raw)
        records.write(b"x")
        records.flush()
    assert (tmp_path / "c").stat().st_size == 8 + 4 + 1 + 4
