"""Values as Summary messages, each as its plugin of TensorBoard reads it."""

import io
import json
import struct
import wave

import numpy as np
import torch
from google.protobuf import struct_pb2
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.hparams import metadata as hparams_metadata
from tensorboard.plugins.hparams.api_pb2 import DataType, Experiment, HParamInfo, MetricInfo, MetricName, Status
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData, SessionEndInfo, SessionStartInfo
from tensorboard.plugins.pr_curve.plugin_data_pb2 import PrCurvePluginData
from tensorboard.plugins.text.plugin_data_pb2 import TextPluginData
from torch.utils.tensorboard._convert_np import make_np
from torch.utils.tensorboard._utils import _prepare_video, convert_to_HWC

__all__ = [
    "audio",
    "compute_curve",
    "custom_scalars",
    "draw_boxes",
    "half_to_int",
    "histogram",
    "histogram_raw",
    "hparams",
    "image",
    "image_boxes",
    "int_to_half",
    "make_histogram",
    "make_image",
    "make_video",
    "mesh",
    "pr_curve",
    "pr_curve_raw",
    "scalar",
    "tensor_proto",
    "text",
    "video",
]


def _plugin(name, content=b""):
    return SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=name, content=content))


def _shape(*sizes):
    return TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in sizes])


def _one(tag, **fields):
    return Summary(value=[Summary.Value(tag=tag, **fields)])


# ---- numbers -------------------------------------------------------------------------------------------------
def scalar(name, tensor, collections=None, new_style=False, double_precision=False):
    """One number. `new_style`: as a tensor, `double_precision` then of 64 bits."""
    tensor = make_np(tensor).squeeze()
    if tensor.ndim != 0:
        raise AssertionError(
            f"Tensor should contain one element (0 dimensions).             Was given size: {tensor.size} and {tensor.ndim} "
            "dimensions."
        )
    value = float(tensor)
    if not new_style:
        return _one(name, simple_value=value)
    made = TensorProto(float_val=[value], dtype="DT_FLOAT")
    if double_precision:
        made = TensorProto(double_val=[value], dtype="DT_DOUBLE")
    return _one(name, tensor=made, metadata=_plugin("scalars"))


def half_to_int(f):
    """The bits of a float of 16 bits."""
    return struct.unpack("<H", struct.pack("<e", f))[0]


def int_to_half(i):
    """The float with these 16 bits."""
    return struct.unpack("<e", struct.pack("<H", i))[0]


def _bits(t):
    return t.contiguous().view(torch.int16).flatten().to(torch.int64).bitwise_and(0xFFFF).tolist()


def _complex(t):
    return torch.view_as_real(t).flatten().tolist()


def _elements(t):
    return t.flatten().tolist()


# dtype: (TensorFlow's name, the field, how its elements are got)
_PROTO = {
    torch.half: ("DT_HALF", "half_val", _bits),
    torch.bfloat16: ("DT_BFLOAT16", "half_val", _bits),
    torch.float32: ("DT_FLOAT", "float_val", _elements),
    torch.float64: ("DT_DOUBLE", "double_val", _elements),
    torch.int8: ("DT_INT8", "int_val", _elements),
    torch.uint8: ("DT_UINT8", "int_val", _elements),
    torch.int16: ("DT_INT16", "int_val", _elements),
    torch.int32: ("DT_INT32", "int_val", _elements),
    torch.int64: ("DT_INT64", "int64_val", _elements),
    torch.complex64: ("DT_COMPLEX64", "scomplex_val", _complex),
    torch.complex128: ("DT_COMPLEX128", "dcomplex_val", _complex),
    torch.bool: ("DT_BOOL", "bool_val", _elements),
}


def tensor_proto(tag, tensor):
    """A whole tensor."""
    if tensor.dtype not in _PROTO:
        raise ValueError(f"{tag} has unsupported tensor dtype {tensor.dtype}")
    dtype, field, elements = _PROTO[tensor.dtype]
    made = TensorProto(dtype=dtype, tensor_shape=_shape(*tensor.shape), **{field: elements(tensor.detach().cpu())})
    return _one(tag, tensor=made, metadata=_plugin("tensor"))


def histogram_raw(name, min, max, num, sum, sum_squares, bucket_limits, bucket_counts):  # noqa: A002 - torch's names
    """A histogram that is counted already: upper limits and counts."""
    made = HistogramProto(
        min=min,
        max=max,
        num=num,
        sum=sum,
        sum_squares=sum_squares,
        bucket_limit=bucket_limits,
        bucket=bucket_counts,
    )
    return _one(name, histo=made)


def histogram(name, values, bins, max_bins=None):
    """How often values fall between limits."""
    return _one(name, histo=make_histogram(make_np(values).astype(float), bins, max_bins))


def make_histogram(values, bins, max_bins=None):
    """`bins`: limits, or a word of numpy.histogram's. `max_bins`: neighbours are put together until there are no more."""
    if values.size == 0:
        raise ValueError("The input has no element.")
    values = values.reshape(-1)
    counts, limits = np.histogram(values, bins=bins)
    if max_bins is not None and len(counts) > max_bins:
        counts, limits = _coarser(counts, limits, len(counts) // max_bins)
    # From the bin before the first that has something to the last that has.
    filled = np.flatnonzero(counts > 0)
    if not len(filled):
        raise ValueError("The histogram is empty, please file a bug report.")
    first, last = int(filled[0]), int(filled[-1])
    counts = counts[first - 1 : last + 1] if first > 0 else np.concatenate([[0], counts[: last + 1]])
    limits = limits[first : last + 2]
    return HistogramProto(
        min=values.min(),
        max=values.max(),
        num=len(values),
        sum=values.sum(),
        sum_squares=values.dot(values),
        bucket_limit=limits.tolist(),
        bucket=counts.tolist(),
    )


def _coarser(counts, limits, together):
    if rest := len(counts) % together:
        counts = np.pad(counts, (0, together - rest))
    return counts.reshape(-1, together).sum(axis=-1), np.append(limits[:-1:together], limits[-1])


# ---- pictures ------------------------------------------------------------------------------------------------
def _scale(tensor):
    """By what elements become bytes."""
    return 1 if tensor.dtype == np.uint8 else 255


def _bytes_of(tensor, dataformats):
    tensor = make_np(tensor)
    factor = _scale(tensor)
    tensor = convert_to_HWC(tensor, dataformats).astype(np.float32)
    return (tensor * factor).clip(0, 255).astype(np.uint8)


def image(tag, tensor, rescale=1, dataformats="NCHW"):
    """A picture, or several in a grid. Floats go from 0 to 1."""
    return _one(tag, image=make_image(_bytes_of(tensor, dataformats), rescale=rescale))


def image_boxes(tag, tensor_image, tensor_boxes, rescale=1, dataformats="CHW", labels=None):
    """A picture with frames: rows of left, top, right, bottom."""
    picture = _bytes_of(tensor_image, dataformats)
    return _one(tag, image=make_image(picture, rescale=rescale, rois=make_np(tensor_boxes), labels=labels))


def make_image(tensor, rescale=1, rois=None, labels=None):
    """An array H x W x C of bytes as PNG."""
    from PIL import Image

    height, width, channel = tensor.shape
    scaled_height, scaled_width = int(height * rescale), int(width * rescale)
    picture = Image.fromarray(tensor)
    if rois is not None:
        picture = draw_boxes(picture, rois, labels=labels)
    picture = picture.resize((scaled_width, scaled_height), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.save(out, format="PNG")
    return Summary.Image(height=height, width=width, colorspace=channel, encoded_image_string=out.getvalue())


def draw_boxes(disp_image, boxes, labels=None):
    """Frames in red, their labels at the lower left corner."""
    from PIL import ImageDraw

    draw = ImageDraw.Draw(disp_image)
    for number, (left, top, right, bottom) in enumerate(boxes[:, :4].tolist()):
        draw.line([(left, top), (left, bottom), (right, bottom), (right, top), (left, top)], width=2, fill="Red")
        if labels is not None:
            x, y = left, bottom - draw.textbbox((0, 0), labels[number])[3]
            draw.rectangle(draw.textbbox((x, y), labels[number]), fill="Red")
            draw.text((x, y), labels[number], fill="black")
    return disp_image


def video(tag, tensor, fps=4):
    """A film N x T x C x H x W, as a GIF."""
    tensor = make_np(tensor)
    frames = _prepare_video(tensor) * 255
    return _one(tag, image=make_video(np.clip(frames, 0, 255).astype(np.uint8), fps))


def make_video(tensor, fps):
    """An array T x H x W x C of bytes as GIF."""
    from PIL import Image

    _, height, width, channel = tensor.shape
    frames = [Image.fromarray(frame[:, :, 0] if channel == 1 else frame) for frame in tensor]
    out = io.BytesIO()
    frames[0].save(out, format="GIF", save_all=True, append_images=frames[1:], duration=1000 / fps, loop=0)
    return Summary.Image(height=height, width=width, colorspace=channel, encoded_image_string=out.getvalue())


# ---- sound and text ------------------------------------------------------------------------------------------
def audio(tag, tensor, sample_rate=44100):
    """Samples from -1 to 1, as WAV of 16 bits."""
    samples = make_np(tensor).squeeze()
    if abs(samples).max() > 1:
        print("warning: audio amplitude out of range, auto clipped.")
        samples = samples.clip(-1, 1)
    if samples.ndim != 1:
        raise AssertionError("input tensor should be 1 dimensional.")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sample_rate)
        file.writeframes((samples * np.iinfo(np.int16).max).astype("<i2").tobytes())
    made = Summary.Audio(
        sample_rate=sample_rate,
        num_channels=1,
        length_frames=samples.shape[-1],
        encoded_audio_string=out.getvalue(),
        content_type="audio/wav",
    )
    return _one(tag, audio=made)


def text(tag, text):
    """Markdown."""
    made = TensorProto(dtype="DT_STRING", string_val=[text.encode("utf_8")], tensor_shape=_shape(1))
    content = TextPluginData(version=0).SerializeToString()
    return _one(tag + "/text_summary", tensor=made, metadata=_plugin("text", content))


# ---- charts of several tags ----------------------------------------------------------------------------------
def custom_scalars(layout):
    """{category: {chart: ["Multiline", [tags]] or ["Margin", [value, lower, upper]]}}"""
    categories = []
    for category, charts in layout.items():
        made = []
        for title, (kind, tags) in charts.items():
            if kind == "Margin":
                if len(tags) != 3:  # noqa: PLR2004
                    raise AssertionError(f"a margin chart has 3 tags, value, lower and upper, not {tags}")
                series = layout_pb2.MarginChartContent.Series(value=tags[0], lower=tags[1], upper=tags[2])
                made.append(layout_pb2.Chart(title=title, margin=layout_pb2.MarginChartContent(series=[series])))
            else:
                made.append(layout_pb2.Chart(title=title, multiline=layout_pb2.MultilineChartContent(tag=tags)))
        categories.append(layout_pb2.Category(title=category, chart=made))
    content = layout_pb2.Layout(category=categories).SerializeToString()
    tensor = TensorProto(dtype="DT_STRING", string_val=[content], tensor_shape=TensorShapeProto())
    return _one("custom_scalars__config__", tensor=tensor, metadata=_plugin("custom_scalars"))


# ---- precision and recall ------------------------------------------------------------------------------------
def pr_curve_raw(tag, tp, fp, tn, fn, precision, recall, num_thresholds=127, weights=None):
    """A curve that is counted already."""
    return _curve(tag, np.stack((tp, fp, tn, fn, precision, recall)), min(num_thresholds, 127))


def pr_curve(tag, labels, predictions, num_thresholds=127, weights=None):
    """Of labels 0 and 1 and predictions from 0 to 1."""
    num_thresholds = min(num_thresholds, 127)  # more fields than TensorBoard takes
    return _curve(
        tag, compute_curve(labels, predictions, num_thresholds=num_thresholds, weights=weights), num_thresholds
    )


def _curve(tag, data, num_thresholds):
    content = PrCurvePluginData(version=0, num_thresholds=num_thresholds).SerializeToString()
    tensor = TensorProto(dtype="DT_FLOAT", float_val=data.reshape(-1).tolist(), tensor_shape=_shape(*data.shape))
    return _one(tag, tensor=tensor, metadata=_plugin("pr_curves", content))


def compute_curve(labels, predictions, num_thresholds=None, weights=None):
    """An array 6 x thresholds: true and false positives, true and false negatives, precision, recall."""
    smallest = 1e-7
    weights = 1.0 if weights is None else weights
    places = np.int32(np.floor(predictions * (num_thresholds - 1)))
    labels = labels.astype(np.float64)

    def counted(each):
        found, _ = np.histogram(places, bins=num_thresholds, range=(0, num_thresholds - 1), weights=each * weights)
        return np.cumsum(found[::-1])[::-1]

    tp, fp = counted(labels), counted(1.0 - labels)
    tn, fn = fp[0] - fp, tp[0] - tp
    precision = tp / np.maximum(smallest, tp + fp)
    recall = tp / np.maximum(smallest, tp + fn)
    return np.stack((tp, fp, tn, fn, precision, recall))


# ---- hyperparameters -----------------------------------------------------------------------------------------
_WRONG_DOMAIN = "parameter: hparam_domain_discrete[{}] must be of a list of one type, that of the parameter"


def _domain(name, values, is_fitting, field):
    if not isinstance(values, list) or not all(is_fitting(value) for value in values):
        raise TypeError(_WRONG_DOMAIN.format(name))
    return struct_pb2.ListValue(values=[struct_pb2.Value(**{field: value}) for value in values])


def _hparam(name, value):
    """(type, field of a value, its content, what its domain may hold)"""
    if isinstance(value, (int, float)):
        return DataType.Value("DATA_TYPE_FLOAT64"), "number_value", value, (int, float)
    if isinstance(value, str):
        return DataType.Value("DATA_TYPE_STRING"), "string_value", value, str
    if isinstance(value, torch.Tensor):
        return DataType.Value("DATA_TYPE_FLOAT64"), "number_value", make_np(value).reshape(-1)[0], (int, float)
    raise ValueError("value should be one of int, float, str, bool, or torch.Tensor")


def hparams(hparam_dict=None, metric_dict=None, hparam_domain_discrete=None):
    """Three summaries: what parameters and results there are, those of this run, that it has ended."""
    if not isinstance(hparam_dict, dict) or not isinstance(metric_dict, dict):
        raise TypeError("parameter: hparam_dict and metric_dict should be dictionary, nothing logged.")
    domains = hparam_domain_discrete or {}
    if not isinstance(domains, dict):
        raise TypeError("parameter: hparam_domain_discrete should be a dictionary, nothing logged.")
    for name in domains:
        if name not in hparam_dict:
            raise TypeError(f"parameter: hparam_domain_discrete has '{name}', which is not among the parameters")
    infos, start = [], SessionStartInfo()
    for name, value in hparam_dict.items():
        if value is None:
            continue
        kind, field, content, fitting = _hparam(name, value)
        setattr(start.hparams[name], field, content)
        domain = None
        if name in domains:
            domain = _domain(name, domains[name], lambda v, fitting=fitting: isinstance(v, fitting), field)
        infos.append(HParamInfo(name=name, type=kind, domain_discrete=domain))
    metrics = [MetricInfo(name=MetricName(tag=name)) for name in metric_dict]
    end = SessionEndInfo(status=Status.Value("STATUS_SUCCESS"))

    def made(tag, **field):
        content = HParamsPluginData(version=hparams_metadata.PLUGIN_DATA_VERSION, **field).SerializeToString()
        return _one(tag, metadata=_plugin(hparams_metadata.PLUGIN_NAME, content))

    return (
        made(hparams_metadata.EXPERIMENT_TAG, experiment=Experiment(hparam_infos=infos, metric_infos=metrics)),
        made(hparams_metadata.SESSION_START_INFO_TAG, session_start_info=start),
        made(hparams_metadata.SESSION_END_INFO_TAG, session_end_info=end),
    )


# ---- meshes --------------------------------------------------------------------------------------------------
def mesh(tag, vertices, colors, faces, config_dict, display_name=None, description=None):
    """Points N x K x 3, with colours of them and triangles N x F x 3 where there are any."""
    from tensorboard.plugins.mesh import metadata
    from tensorboard.plugins.mesh.plugin_data_pb2 import MeshPluginData

    config = json.dumps(config_dict or {}, sort_keys=True)
    kinds = [(vertices, MeshPluginData.VERTEX), (faces, MeshPluginData.FACE), (colors, MeshPluginData.COLOR)]
    kinds = [(tensor, kind) for tensor, kind in kinds if tensor is not None]
    components = metadata.get_components_bitmask([kind for _, kind in kinds])
    values = []
    for tensor, kind in kinds:
        array = make_np(tensor)
        about = metadata.create_summary_metadata(
            tag, display_name, kind, components, array.shape, description, json_config=config
        )
        made = TensorProto(dtype="DT_FLOAT", float_val=array.reshape(-1).tolist(), tensor_shape=_shape(*array.shape))
        name = metadata.get_instance_name(tag, kind)
        values.append(Summary.Value(tag=name, tensor=made, metadata=about))
    return Summary(value=values)
