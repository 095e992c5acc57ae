"""Linear and bilinear maps."""

from torch.autograd._functions._made import classes
from torch.nn import functional as F

globals().update(classes(__name__, {"Linear": F.linear, "Bilinear": F.bilinear}))
