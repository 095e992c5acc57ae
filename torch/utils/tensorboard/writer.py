"""SummaryWriter, and FileWriter, which it writes with."""

import os
import socket
import time
from datetime import datetime

from google.protobuf import text_format
from tensorboard.compat.proto import event_pb2
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from torch.utils.tensorboard import _embedding, summary
from torch.utils.tensorboard._convert_np import make_np
from torch.utils.tensorboard._embedding import get_embedding_info, make_mat, make_sprite, make_tsv, write_pbtxt  # noqa: F401
from torch.utils.tensorboard._utils import figure_to_image
from torch.utils.tensorboard.summary import (  # noqa: F401 - where programs look for them
    audio,
    custom_scalars,
    histogram,
    histogram_raw,
    hparams,
    image,
    image_boxes,
    mesh,
    pr_curve,
    pr_curve_raw,
    scalar,
    tensor_proto,
    text,
    video,
)

__all__ = ["FileWriter", "SummaryWriter"]


class FileWriter:
    """Events into a file of a folder; a thread writes them. `max_queue`: how many may wait, `flush_secs`: how long."""

    def __init__(self, log_dir, max_queue=10, flush_secs=120, filename_suffix=""):
        self.event_writer = EventFileWriter(str(log_dir), max_queue, flush_secs, filename_suffix)

    def get_logdir(self):
        """The folder."""
        return self.event_writer.get_logdir()

    def add_event(self, event, step=None, walltime=None):
        """An Event, with its time and step."""
        event.wall_time = time.time() if walltime is None else walltime
        if step is not None:
            event.step = int(step)
        self.event_writer.add_event(event)

    def add_summary(self, summary, global_step=None, walltime=None):
        """A Summary."""
        self.add_event(event_pb2.Event(summary=summary), global_step, walltime)

    def add_graph(self, graph_profile, walltime=None):
        """(GraphDef, RunMetadata)"""
        graph, stats = graph_profile
        self.add_event(event_pb2.Event(graph_def=graph.SerializeToString()), None, walltime)
        tagged = event_pb2.TaggedRunMetadata(tag="step1", run_metadata=stats.SerializeToString())
        self.add_event(event_pb2.Event(tagged_run_metadata=tagged), None, walltime)

    def add_onnx_graph(self, graph, walltime=None):
        """A GraphDef."""
        self.add_event(event_pb2.Event(graph_def=graph.SerializeToString()), None, walltime)

    def flush(self):
        """What waits is written."""
        self.event_writer.flush()

    def close(self):
        """The same, and no more is taken."""
        self.event_writer.close()

    def reopen(self):
        """Into a new file."""
        self.event_writer.reopen()


def _limits():
    """The bins of histograms: a tenth wider each, on both sides of 0."""
    positive, limit = [], 1e-12
    while limit < 1e20:  # noqa: PLR2004
        positive.append(limit)
        limit *= 1.1
    return [-limit for limit in reversed(positive)] + [0] + positive


class SummaryWriter:
    """Writes into the folder `log_dir`; without one, into runs/TIME_HOST and `comment`.

    `purge_step`: after a crash; TensorBoard forgets what was written of this step and later ones. `max_queue`, `flush_secs`:
    how many events may wait to be written, and how long. `filename_suffix`: at the end of the files' names.

    `global_step` of its methods is a step's number, `walltime` a time other than now, in seconds since 1970.
    """

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if not log_dir:
            now = datetime.now().strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", f"{now}_{socket.gethostname()}{comment}")
        self.log_dir = log_dir
        self.purge_step = purge_step
        self.max_queue, self.flush_secs, self.filename_suffix = max_queue, flush_secs, filename_suffix
        self.file_writer = self.all_writers = None
        self._get_file_writer()
        self.default_bins = _limits()

    def _open(self, folder):
        return FileWriter(folder, self.max_queue, self.flush_secs, self.filename_suffix)

    def _get_file_writer(self):
        """The folder's writer; a new one after close()."""
        if self.all_writers is None or self.file_writer is None:
            self.file_writer = self._open(self.log_dir)
            self.all_writers = {self.file_writer.get_logdir(): self.file_writer}
            if self.purge_step is not None:
                step = self.purge_step
                self.file_writer.add_event(Event(step=step, file_version="brain.Event:2"))
                self.file_writer.add_event(Event(step=step, session_log=SessionLog(status=SessionLog.START)))
                self.purge_step = None
        return self.file_writer

    def get_logdir(self):
        """The folder."""
        return self.log_dir

    def _add(self, made, global_step, walltime):
        self._get_file_writer().add_summary(made, global_step, walltime)

    # ---- numbers
    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        """One number."""
        made = summary.scalar(tag, scalar_value, new_style=new_style, double_precision=double_precision)
        self._add(made, global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        """Several numbers in one chart: {name: number}. Each name has a folder of its own."""
        walltime = time.time() if walltime is None else walltime
        folder = self._get_file_writer().get_logdir()
        for tag, scalar_value in tag_scalar_dict.items():
            made = summary.scalar(main_tag, scalar_value)
            name = f"{folder}/{main_tag.replace('/', '_')}_{tag}"
            if name not in self.all_writers:
                self.all_writers[name] = self._open(name)
            self.all_writers[name].add_summary(made, global_step, walltime)

    def add_tensor(self, tag, tensor, global_step=None, walltime=None):
        """A whole tensor."""
        self._add(summary.tensor_proto(tag, tensor), global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        """How values are distributed. `bins`: limits, or "tensorflow" (each a tenth wider), or a word of numpy.histogram's."""
        if isinstance(bins, str) and bins == "tensorflow":
            bins = self.default_bins
        self._add(summary.histogram(tag, values, bins, max_bins=max_bins), global_step, walltime)

    def add_histogram_raw(
        self,
        tag,
        min,  # noqa: A002 - torch's names
        max,  # noqa: A002
        num,
        sum,  # noqa: A002
        sum_squares,
        bucket_limits,
        bucket_counts,
        global_step=None,
        walltime=None,
    ):
        """A histogram that is counted already: as many counts as upper limits."""
        if len(bucket_limits) != len(bucket_counts):
            raise ValueError(f"len(bucket_limits) != len(bucket_counts): {len(bucket_limits)} and {len(bucket_counts)}")
        made = summary.histogram_raw(tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts)
        self._add(made, global_step, walltime)

    def add_hparams(self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None):
        """Parameters of a run and what came of them, in a folder of their own."""
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        made = summary.hparams(hparam_dict, metric_dict, hparam_domain_discrete)
        folder = os.path.join(self._get_file_writer().get_logdir(), run_name or str(time.time()))
        with SummaryWriter(log_dir=folder) as writer:
            for each in made:
                writer.file_writer.add_summary(each, global_step)
            for name, value in metric_dict.items():
                writer.add_scalar(name, value, global_step)

    # ---- pictures, sound, text
    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        """A picture: bytes, or floats from 0 to 1. `dataformats`: what its dimensions are, CHW, HWC or HW."""
        self._add(summary.image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        """Pictures in a grid."""
        self._add(summary.image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_image_with_boxes(
        self,
        tag,
        img_tensor,
        box_tensor,
        global_step=None,
        walltime=None,
        rescale=1,
        dataformats="CHW",
        labels=None,
    ):
        """A picture with frames N x 4: left, top, right, bottom."""
        if labels is not None:
            labels = [labels] if isinstance(labels, str) else labels
            if len(labels) != box_tensor.shape[0]:
                labels = None
        made = summary.image_boxes(tag, img_tensor, box_tensor, rescale=rescale, dataformats=dataformats, labels=labels)
        self._add(made, global_step, walltime)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        """What matplotlib draws: a figure, or a list of them of one size."""
        dataformats = "NCHW" if isinstance(figure, list) else "CHW"
        self.add_image(tag, figure_to_image(figure, close), global_step, walltime, dataformats=dataformats)

    def add_video(self, tag, vid_tensor, global_step=None, fps=4, walltime=None):
        """Films N x T x C x H x W: bytes, or floats from 0 to 1."""
        self._add(summary.video(tag, vid_tensor, fps), global_step, walltime)

    def add_audio(self, tag, snd_tensor, global_step=None, sample_rate=44100, walltime=None):
        """Samples from -1 to 1, of one channel."""
        self._add(summary.audio(tag, snd_tensor, sample_rate=sample_rate), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        """Markdown."""
        self._add(summary.text(tag, text_string), global_step, walltime)

    # ---- models
    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        """The operators that `model` calls for an input (a tensor, or a tuple of the arguments), by module."""
        from torch.utils.tensorboard._pytorch_graph import graph

        if input_to_model is None:
            raise ValueError("add_graph: input_to_model is needed: the graph is that of one run of the model")
        self._get_file_writer().add_graph(graph(model, input_to_model, verbose, use_strict_trace))

    def add_onnx_graph(self, prototxt):
        """Raises NotImplementedError: files of ONNX are not read here."""
        raise NotImplementedError(f"add_onnx_graph: files of ONNX cannot be read by this torch ({prototxt!r})")

    @staticmethod
    def _encode(rawstr):
        """A tag as a folder's name."""
        for letter in "%/\\":
            rawstr = rawstr.replace(letter, f"%{ord(letter):02x}")
        return rawstr

    def add_embedding(self, mat, metadata=None, label_img=None, global_step=None, tag="default", metadata_header=None):
        """Points N x D for the projector, with what they are (a list, or a list of rows and `metadata_header`) and how they look
        (`label_img`: N x C x H x H)."""
        points = make_np(mat)
        if metadata is not None and len(metadata) != points.shape[0]:
            raise AssertionError("#labels should equal with #data points")
        if label_img is not None:
            if len(label_img) != points.shape[0]:
                raise AssertionError("#images should equal with #data points")
            if label_img.size(2) != label_img.size(3):
                raise AssertionError("Image should be square, see tensorflow/tensorboard#670")
        if points.ndim != 2:  # noqa: PLR2004
            raise AssertionError("mat should be 2D, where mat.size(0) is the number of data points")
        global_step = 0 if global_step is None else global_step
        subdir = f"{str(global_step).zfill(5)}/{self._encode(tag)}"
        folder = os.path.join(self._get_file_writer().get_logdir(), subdir)
        if os.path.isdir(folder):
            print("warning: Embedding dir exists, did you set global_step for add_embedding()?")
        os.makedirs(folder, exist_ok=True)
        if metadata is not None:
            _embedding.make_tsv(metadata, folder, metadata_header=metadata_header)
        if label_img is not None:
            _embedding.make_sprite(label_img, folder)
        _embedding.make_mat(points, folder)
        if not hasattr(self, "_projector_config"):
            self._projector_config = ProjectorConfig()
        info = _embedding.get_embedding_info(metadata, label_img, subdir, global_step, tag)
        self._projector_config.embeddings.extend([info])
        _embedding.write_pbtxt(
            self._get_file_writer().get_logdir(), text_format.MessageToString(self._projector_config)
        )

    # ---- curves
    def add_pr_curve(self, tag, labels, predictions, global_step=None, num_thresholds=127, weights=None, walltime=None):
        """Precision and recall by threshold, of labels 0 and 1 and predictions from 0 to 1."""
        made = summary.pr_curve(tag, make_np(labels), make_np(predictions), num_thresholds, weights)
        self._add(made, global_step, walltime)

    def add_pr_curve_raw(
        self,
        tag,
        true_positive_counts,
        false_positive_counts,
        true_negative_counts,
        false_negative_counts,
        precision,
        recall,
        global_step=None,
        num_thresholds=127,
        weights=None,
        walltime=None,
    ):
        """The same, counted already."""
        made = summary.pr_curve_raw(
            tag,
            true_positive_counts,
            false_positive_counts,
            true_negative_counts,
            false_negative_counts,
            precision,
            recall,
            num_thresholds,
            weights,
        )
        self._add(made, global_step, walltime)

    def add_custom_scalars_multilinechart(self, tags, category="default", title="untitled"):
        """Several tags in one chart."""
        self._add(summary.custom_scalars({category: {title: ["Multiline", tags]}}), None, None)

    def add_custom_scalars_marginchart(self, tags, category="default", title="untitled"):
        """A value with its lower and upper bound: three tags."""
        if len(tags) != 3:  # noqa: PLR2004
            raise AssertionError(f"a margin chart has 3 tags, value, lower and upper, not {len(tags)}")
        self._add(summary.custom_scalars({category: {title: ["Margin", tags]}}), None, None)

    def add_custom_scalars(self, layout):
        """Charts of tags: {category: {chart: ["Multiline" or "Margin", [tags]]}}."""
        self._add(summary.custom_scalars(layout), None, None)

    def add_mesh(self, tag, vertices, colors=None, faces=None, config_dict=None, global_step=None, walltime=None):
        """Points B x N x 3 in space, colours of them, triangles; `config_dict`: of THREE.js."""
        self._add(summary.mesh(tag, vertices, colors, faces, config_dict), global_step, walltime)

    # ---- the files
    def flush(self):
        """What waits is written."""
        for writer in (self.all_writers or {}).values():
            writer.flush()

    def close(self):
        """The same, and the files are closed. What is added afterwards goes into a new file."""
        for writer in (self.all_writers or {}).values():
            writer.flush()
            writer.close()
        self.file_writer = self.all_writers = None

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()
