import torch
import torch.nn.functional as F
from torch import nn

scores, target = torch.randn(4, 3), torch.tensor([0, 1, 2, 0])
reveal_type(F.cross_entropy(scores, target))
reveal_type(F.mse_loss(scores, scores, reduction="sum"))
reveal_type(F.softmax(scores, dim=-1))
reveal_type(F.relu(scores))
reveal_type(F.dropout(scores, p=0.1, training=True))
reveal_type(F.log_softmax(scores, 1))
reveal_type(F.one_hot(target, 3))
reveal_type(F.pad(scores, (1, 1)))
reveal_type(F.interpolate(scores[None], scale_factor=2.0))
reveal_type(nn.CrossEntropyLoss(label_smoothing=0.1)(scores, target))
loss = nn.MSELoss()(scores, scores)
loss.backward()
F.cross_entropy(scores, target, reduction=3)  # an error
nn.CrossEntropyLoss(smoothing=0.1)  # an error
F.softmax(scores, dim="1")  # an error
F.soft_max(scores)  # an error
