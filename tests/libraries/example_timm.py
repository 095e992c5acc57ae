import timm
import torch
from common import fixed, gradients, wave
from timm.data import create_transform, resolve_data_config
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler


def run():
    results = {}
    images = wave(2, 3, 32, 32)
    for name, options in {
        "resnet18": {},
        "mobilenetv3_small_050": {},
        "efficientnet_lite0": {},
        "vit_tiny_patch16_224": {"img_size": 32},
        "convnext_atto": {},
    }.items():
        model = fixed(timm.create_model(name, num_classes=4, **options)).eval()
        results[name] = model(images)
    model = fixed(timm.create_model("resnet10t", num_classes=4))
    optimizer = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
    scheduler = CosineLRScheduler(optimizer, t_initial=5, warmup_t=1)
    # batch norm over two values would amplify how each library rounds
    images = wave(4, 3, 64, 64)
    losses = []
    for step in range(3):
        loss = torch.nn.functional.cross_entropy(model(images), torch.tensor([1, 3, 0, 2]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step(step + 1)
        losses.append(float(loss))
    features = timm.create_model("resnet18", features_only=True)
    transform = create_transform(**resolve_data_config({}, model=model))
    return results | {
        "losses": losses,
        "gradients": gradients(model),
        "features": [list(each.shape) for each in features(images)],
        "transform": [type(each).__name__ for each in transform.transforms],
        "models": len(timm.list_models("vit*")) > 100,
    }
