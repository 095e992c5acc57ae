import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train(model: nn.Module, loader: DataLoader, epochs: int = 3) -> list[float]:
    loss_of, losses = nn.CrossEntropyLoss(), []
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_of(model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
    return losses


data = TensorDataset(torch.randn(8, 3), torch.randint(0, 2, (8,)))
reveal_type(train(nn.Linear(3, 2), DataLoader(data, batch_size=4)))
train(nn.Linear(3, 2), data)  # an error
train(nn.Linear, DataLoader(data))  # an error
