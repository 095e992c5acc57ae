import torch
from captum.attr import DeepLift, GradientShap, IntegratedGradients, LayerGradCam, Occlusion, Saliency
from common import fixed, wave


def run():
    net = fixed(torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))).eval()
    x = wave(4, 6)
    attributions, delta = IntegratedGradients(net).attribute(x, target=1, n_steps=20, return_convergence_delta=True)
    images = fixed(
        torch.nn.Sequential(
            torch.nn.Conv2d(1, 4, 3),
            torch.nn.ReLU(),
            torch.nn.AdaptiveAvgPool2d(1),
            torch.nn.Flatten(),
            torch.nn.Linear(4, 2),
        ),
    )
    return {
        "integrated": attributions,
        "delta": delta,
        "saliency": Saliency(net).attribute(x.clone().requires_grad_(), target=2),
        "deeplift": DeepLift(net).attribute(x, torch.zeros_like(x), target=0),
        "occlusion": Occlusion(net).attribute(x, (2,), target=1),
        "gradcam": LayerGradCam(images, images[0]).attribute(wave(2, 1, 8, 8), target=1),
        "shap": GradientShap(net).attribute(x, torch.zeros(1, 6), target=1, n_samples=2, stdevs=0.0).shape,
    }
