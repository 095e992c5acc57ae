"""Files of TensorBoard's projector: points, what they are, how they look."""

import math
import os

import numpy as np
from torch.utils.tensorboard._convert_np import make_np
from torch.utils.tensorboard._utils import make_grid


def make_tsv(metadata, save_path, metadata_header=None):
    """metadata.tsv: a line for each point; with a header, of several columns."""
    if not metadata_header:
        lines = [str(each) for each in metadata]
    else:
        if len(metadata_header) != len(metadata[0]):
            raise AssertionError("len of header must be equal to the number of columns in metadata")
        lines = ["\t".join(str(cell) for cell in row) for row in [metadata_header, *metadata]]
    with open(os.path.join(save_path, "metadata.tsv"), "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))


def make_sprite(label_img, save_path):
    """sprite.png: the pictures in a square."""
    from PIL import Image

    side = math.ceil(label_img.size(0) ** 0.5)
    pictures = make_np(label_img)
    missing = side**2 - len(pictures)
    pictures = np.concatenate((pictures, np.zeros((missing, *pictures.shape[1:]), pictures.dtype)))
    sprite = make_grid(pictures, ncols=side).transpose(1, 2, 0) * (1 if pictures.dtype == np.uint8 else 255)
    Image.fromarray(sprite.clip(0, 255).astype(np.uint8)).save(os.path.join(save_path, "sprite.png"))


def get_embedding_info(metadata, label_img, subdir, global_step, tag):
    """What the projector is told of these points."""
    from tensorboard.plugins.projector.projector_config_pb2 import EmbeddingInfo

    info = EmbeddingInfo(
        tensor_name=f"{tag}:{str(global_step).zfill(5)}", tensor_path=os.path.join(subdir, "tensors.tsv")
    )
    if metadata is not None:
        info.metadata_path = os.path.join(subdir, "metadata.tsv")
    if label_img is not None:
        info.sprite.image_path = os.path.join(subdir, "sprite.png")
        info.sprite.single_image_dim.extend([label_img.size(3), label_img.size(2)])
    return info


def write_pbtxt(save_path, contents):
    """projector_config.pbtxt."""
    with open(os.path.join(save_path, "projector_config.pbtxt"), "w", encoding="utf-8") as file:
        file.write(contents)


def make_mat(matlist, save_path):
    """tensors.tsv: a line for each point."""
    with open(os.path.join(save_path, "tensors.tsv"), "w", encoding="utf-8") as file:
        for row in matlist:
            file.write("\t".join(str(number.item()) for number in row) + "\n")
