import torch
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset, random_split


class Squares(Dataset[tuple[torch.Tensor, int]]):
    def __len__(self) -> int:
        return 10

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return torch.tensor(index), index * index


squares = Squares()
reveal_type(squares[0])
loader = DataLoader(squares, batch_size=2, shuffle=True)
reveal_type(loader)
for x, y in loader:
    reveal_type(x)
reveal_type(TensorDataset(torch.ones(3))[0])
reveal_type(random_split(squares, [8, 2]))
reveal_type(Subset(squares, [0, 1])[0])
reveal_type(len(loader))
DataLoader(squares, batch_size="2")  # an error
DataLoader(squares, batchsize=2)  # an error
