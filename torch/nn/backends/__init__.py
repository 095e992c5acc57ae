"""Where the functions of torch.nn came from in 2017: a table by name of which one is left, torch.nn.backends.thnn."""
