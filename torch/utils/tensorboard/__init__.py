"""SummaryWriter: numbers, images, texts and more in files that TensorBoard shows.

    writer = SummaryWriter("runs/first")
    writer.add_scalar("loss", loss, step)
    writer.close()                               # tensorboard --logdir runs

The formats are those of the package `tensorboard`, which has to be installed: pip install tensorboard.
"""

try:
    from tensorboard.summary.writer.record_writer import RecordWriter
except ImportError as _error:
    raise ImportError(
        f"torch.utils.tensorboard writes with the package 'tensorboard', which cannot be imported ({_error}); "
        "pip install tensorboard",
        name=_error.name,
    ) from _error

from torch.utils.tensorboard.writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "RecordWriter", "SummaryWriter"]
