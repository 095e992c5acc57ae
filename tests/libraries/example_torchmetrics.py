import torch
import torchmetrics
from common import wave


def run():
    scores, labels = wave(4, 10, 3).softmax(-1), torch.arange(40).reshape(4, 10) % 3
    metrics = torchmetrics.MetricCollection(
        {
            "accuracy": torchmetrics.classification.MulticlassAccuracy(3),
            "f1": torchmetrics.classification.MulticlassF1Score(3),
            "auroc": torchmetrics.classification.MulticlassAUROC(3),
            "confusion": torchmetrics.classification.MulticlassConfusionMatrix(3),
            "calibration": torchmetrics.classification.MulticlassCalibrationError(3),
        }
    )
    for score, label in zip(scores, labels, strict=True):
        metrics.update(score, label)
    x, y = wave(30), wave(30, shift=0.3)
    images = wave(2, 3, 16, 16) * 0.5 + 0.5
    return metrics.compute() | {
        "mse": torchmetrics.functional.mean_squared_error(x, y),
        "pearson": torchmetrics.functional.pearson_corrcoef(x, y),
        "spearman": torchmetrics.functional.spearman_corrcoef(x, y),
        "r2": torchmetrics.functional.r2_score(x, y),
        "psnr": torchmetrics.functional.image.peak_signal_noise_ratio(images, images * 0.9, 1.0),
        "ssim": torchmetrics.functional.image.structural_similarity_index_measure(images, images * 0.9),
        "running": torchmetrics.MeanMetric()(x),
    }
