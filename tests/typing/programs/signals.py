import torch
from torch.quasirandom import SobolEngine
from torch.signal import windows

reveal_type(windows.hann(8))
reveal_type(windows.gaussian(8, std=2.0, sym=False))
reveal_type(windows.general_cosine(8, a=[0.5, 0.5]))
engine = SobolEngine(3, scramble=True, seed=1)
reveal_type(engine)
reveal_type(engine.draw(4))
reveal_type(engine.draw_base2(2))
reveal_type(engine.fast_forward(2))
reveal_type(engine.reset())
reveal_type(engine.dimension)
nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
reveal_type(nested)
reveal_type(torch.nested.to_padded_tensor(nested, 0.0))
reveal_type(torch.nested.as_nested_tensor([torch.ones(2)], layout=torch.jagged))
windows.hann("8")  # an error
windows.hann()  # an error
windows.kaiser(8, alpha=1.0)  # an error
windows.gaussian(8, std="2")  # an error
engine.draw("4")  # an error
torch.nested.nested_tensor()  # an error
