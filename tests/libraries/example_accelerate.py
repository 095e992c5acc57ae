import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from common import fixed, wave
from torch.utils.data import DataLoader, TensorDataset


def run(folder):
    set_seed(1)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    x = wave(12, 6)
    data = DataLoader(TensorDataset(x, x.prod(1, keepdim=True)), batch_size=3)
    model = fixed(torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (1 + step))
    model, optimizer, data, scheduler = accelerator.prepare(model, optimizer, data, scheduler)
    losses = []
    for _ in range(3):
        for inputs, targets in data:
            with accelerator.accumulate(model):
                loss = torch.nn.functional.mse_loss(model(inputs), targets)
                accelerator.backward(loss)
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            losses.append(float(loss))
    accelerator.save_state(folder)
    accelerator.load_state(folder)
    gathered = accelerator.gather_for_metrics(model(x))
    return {
        "losses": losses,
        "gathered": gathered,
        "device": str(accelerator.device),
        "count": accelerator.num_processes,
    }
