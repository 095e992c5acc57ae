"""The functions of torch.nn.functional, by subject."""
