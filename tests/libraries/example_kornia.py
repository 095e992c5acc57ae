import kornia
import torch
from common import wave


def run():
    images = (wave(2, 3, 16, 16) * 0.5 + 0.5).requires_grad_()
    blurred = kornia.filters.gaussian_blur2d(images, (3, 3), (1.5, 1.5))
    kornia.filters.sobel(images).sum().backward()
    matrix = torch.tensor([[[1.0, 0.1, 0], [-0.1, 1, 1]]]).repeat(2, 1, 1)
    return {
        "blurred": blurred,
        "gradient": images.grad,
        "gray": kornia.color.rgb_to_grayscale(images),
        "hsv": kornia.color.rgb_to_hsv(images),
        "lab": kornia.color.rgb_to_lab(images),
        "warped": kornia.geometry.transform.warp_affine(images, matrix, (12, 12)),
        "rotated": kornia.geometry.transform.rotate(images, torch.tensor([30.0, -10.0])),
        "edges": kornia.filters.canny(images)[0],
        "ssim": kornia.metrics.ssim(images, blurred, 5),
        "corners": kornia.feature.harris_response(images[:, :1]),
        "homography": kornia.geometry.homography.find_homography_dlt(
            wave(1, 6, 2), wave(1, 6, 2, shift=0.1), torch.ones(1, 6)
        )[0, 2, 2],
    }
