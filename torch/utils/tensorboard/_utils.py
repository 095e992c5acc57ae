"""Pictures as arrays."""

import numpy as np


def figure_to_image(figures, close=True):
    """What matplotlib draws, as an array C x H x W of bytes; of a list of figures N x C x H x W. `close`: the figures are closed."""
    import matplotlib.pyplot as plt
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    def drawn(figure):
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        width, height = figure.canvas.get_width_height()
        image = np.frombuffer(canvas.buffer_rgba(), dtype=np.uint8).reshape([height, width, 4])[:, :, :3]
        image = np.moveaxis(image, 2, 0).copy()
        if close:
            plt.close(figure)
        return image

    return np.stack([drawn(figure) for figure in figures]) if isinstance(figures, list) else drawn(figures)


def _prepare_video(V):
    """N x T x C x H x W as T x H x W x C, the videos side by side: in a grid whose rows are a power of 2."""
    n, t, c, h, w = V.shape
    if V.dtype == np.uint8:
        V = V.astype(np.float32) / 255.0
    while n & (n - 1):  # black ones up to a power of 2
        V = np.concatenate((V, np.zeros((1, t, c, h, w), V.dtype)))
        n += 1
    rows = 2 ** ((n.bit_length() - 1) // 2)
    columns = n // rows
    V = V.reshape(rows, columns, t, c, h, w).transpose(2, 0, 4, 1, 5, 3)
    return V.reshape(t, rows * h, columns * w, c)


def make_grid(I, ncols=8):  # noqa: E741 - torch's name
    """N x C x H x W as one picture C x H x W, up to `ncols` in a row."""
    if not isinstance(I, np.ndarray):
        raise AssertionError("plugin error, should pass numpy array here")
    if I.shape[1] == 1:
        I = np.concatenate([I, I, I], 1)  # noqa: E741
    if I.ndim != 4 or I.shape[1] != 3:  # noqa: PLR2004
        raise AssertionError(f"pictures of 1 or 3 channels are expected, got the shape {I.shape}")
    n, _, height, width = I.shape
    ncols = min(n, ncols)
    nrows = -(-n // ncols)
    canvas = np.zeros((3, height * nrows, width * ncols), dtype=I.dtype)
    for i in range(n):
        y, x = i // ncols * height, i % ncols * width
        canvas[:, y : y + height, x : x + width] = I[i]
    return canvas


def convert_to_HWC(tensor, input_format):  # noqa: N802 - torch's name
    """An array of the format "NCHW", "CHW", "HWC", "HW" or with the letters in another order, as H x W x 3."""
    letters = input_format.upper()
    if len(set(letters)) != len(letters):
        raise AssertionError(
            f"You can not use the same dimension shordhand twice.         input_format: {input_format}"
        )
    if len(tensor.shape) != len(letters):
        raise AssertionError(
            "size of input tensor and input format are different.         "
            f"tensor shape: {tensor.shape}, input_format: {input_format}"
        )
    wanted = {4: "NCHW", 3: "HWC", 2: "HW"}.get(len(letters))
    if wanted is None or set(wanted) != set(letters):
        raise ValueError(
            f"input_format has to be made of the letters {wanted or 'of NCHW, CHW or HW'}, got {input_format!r}"
        )
    tensor = tensor.transpose([letters.index(letter) for letter in wanted])
    if wanted == "NCHW":
        return make_grid(tensor).transpose(1, 2, 0)
    if wanted == "HW":
        return np.stack([tensor] * 3, 2)
    return np.concatenate([tensor] * 3, 2) if tensor.shape[2] == 1 else tensor
