import torch
from common import fixed, gradients, wave
from peft import LoraConfig, PeftModel, get_peft_model


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = torch.nn.Linear(6, 12), torch.nn.Linear(12, 2)

    def forward(self, x):
        return self.last(torch.relu(self.first(x)))


def run(folder):
    base = fixed(Net())
    model = get_peft_model(base, LoraConfig(r=2, lora_alpha=4, target_modules=["first"], modules_to_save=["last"]))
    trainable = {name: p for name, p in model.named_parameters() if p.requires_grad}
    with torch.no_grad():
        for number, parameter in enumerate(trainable.values()):
            parameter.copy_(wave(*parameter.shape, shift=number, scale=0.2))
    optimizer = torch.optim.SGD(trainable.values(), lr=0.1)
    x, losses = wave(8, 6), []
    for _ in range(3):
        loss = torch.nn.functional.cross_entropy(model(x), torch.arange(8) % 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    result = model(x)
    model.save_pretrained(folder)
    again = PeftModel.from_pretrained(fixed(Net()), folder)
    return {
        "losses": losses,
        "trainable": sorted(trainable),
        "gradients": gradients(model),
        "reloaded": float((again(x) - result).abs().max()) < 1e-6,
        "merged": model.merge_and_unload()(x),
    }
