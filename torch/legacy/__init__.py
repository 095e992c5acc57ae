"""torch.legacy of 2017: modules as Lua's torch had them (torch.legacy.nn) and its optimisers, which are functions
(torch.legacy.optim). New programs use torch.nn and torch.optim."""


def __getattr__(name):
    if name in ("nn", "optim"):
        import importlib

        return importlib.import_module(f"torch.legacy.{name}")
    raise AttributeError(f"module 'torch.legacy' has no attribute '{name}'")
