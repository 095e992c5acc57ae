"""torch.hub's files of parameters, under the older name."""

from torch.hub import load_state_dict_from_url, tqdm, urlparse  # noqa: F401

load_url = load_state_dict_from_url
