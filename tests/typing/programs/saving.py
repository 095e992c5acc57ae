import io
from pathlib import Path

import torch
from torch import nn

buffer = io.BytesIO()
reveal_type(torch.save({"a": torch.ones(2)}, buffer))
reveal_type(torch.load(buffer, map_location="cpu", weights_only=True))
torch.save(nn.Linear(2, 2).state_dict(), Path("file.pt"))
torch.load("file.pt", map_location=torch.device("cpu"))
reveal_type(torch.from_numpy)
reveal_type(torch.get_num_threads())
reveal_type(torch.set_num_threads(1))
reveal_type(torch.get_rng_state())
reveal_type(torch.initial_seed())
torch.save()  # an error
torch.load(3)  # an error
torch.loads("file.pt")  # an error
torch.set_num_threads("4")  # an error
