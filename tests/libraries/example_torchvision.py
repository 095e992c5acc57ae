import torch
import torchvision
from common import fixed, gradients, wave
from torchvision.models.feature_extraction import create_feature_extractor
from torchvision.transforms import v2


def run():
    images = wave(2, 3, 32, 32)
    results = {}
    for name in ("resnet18", "mobilenet_v3_small", "vgg11_bn", "squeezenet1_1", "densenet121"):
        model = fixed(getattr(torchvision.models, name)(num_classes=4)).eval()
        results[name] = model(images)
    model = fixed(torchvision.models.resnet18(num_classes=4))
    # batch norm over two values would amplify how each library rounds
    loss = torch.nn.functional.cross_entropy(model(wave(4, 3, 64, 64)), torch.tensor([1, 3, 0, 2]))
    loss.backward()
    extractor = create_feature_extractor(model.eval(), {"layer1": "early", "layer3.1.conv2": "late"})
    transform = v2.Compose([v2.Resize(24), v2.CenterCrop(20), v2.Normalize([0.5] * 3, [0.2] * 3)])
    return results | {
        "loss": loss,
        "gradients": gradients(model),
        "extracted": dict(extractor(images)),
        "transformed": transform(images),
        "grid": torchvision.utils.make_grid(images, nrow=2, normalize=True),
        "boxes": torchvision.ops.box_iou(torch.tensor([[0.0, 0, 2, 2]]), torch.tensor([[1.0, 1, 3, 3], [0, 0, 2, 2]])),
        "flipped": v2.functional.horizontal_flip(images),
    }
