"""Behaviour of torch.nn's modules that programs choose ahead of its becoming the default."""

_overwrite = False
_swap = False


def set_overwrite_module_params_on_conversion(value):
    """Whether module.to() and its like give modules new parameters (True) or change the data of those they have
    (False, the default)."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion():
    """What set_overwrite_module_params_on_conversion has set."""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """Whether module.to(), its like and load_state_dict() swap a parameter's content with that of the new tensor (True)
    or set its data (False, the default)."""
    global _swap
    _swap = value


def get_swap_module_params_on_conversion():
    """What set_swap_module_params_on_conversion has set."""
    return _swap
