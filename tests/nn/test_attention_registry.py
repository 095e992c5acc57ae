"""Implementations of flash attention by name: torch.nn.attention's registry."""

import pytest
import torch.nn.attention as attention
from torch.nn.attention import _registry


@pytest.fixture(autouse=True)
def as_before():
    before = dict(_registry._implementations)
    yield
    if attention.current_flash_attention_impl() is not None:
        attention.restore_flash_attention_impl()
    _registry._implementations.clear()
    _registry._implementations.update(before)


class Handle:
    def __init__(self, log, name):
        self.log, self.name = log, name
        log.append(f"install {name}")

    def remove(self):
        self.log.append(f"remove {self.name}")


def register(log, *names):
    for name in names:
        attention.register_flash_attention_impl(name, register_fn=lambda name=name: Handle(log, name))


def test_one_is_active_at_a_time():
    log = []
    register(log, "h", "g")
    assert log == [] and attention.list_flash_attention_impls() == ["FA3", "FA4", "g", "h"]
    for name in ("h", "h", "g"):
        attention.activate_flash_attention_impl(name)
        assert attention.current_flash_attention_impl() == name
    attention.restore_flash_attention_impl()
    assert attention.current_flash_attention_impl() is None
    assert log == ["install h", "remove h", "install h", "remove h", "install g", "remove g"]


def test_what_returns_no_handle_is_not_kept():
    attention.register_flash_attention_impl("none", register_fn=lambda: None)
    attention.activate_flash_attention_impl("none")
    assert attention.current_flash_attention_impl() is None


def test_an_error_leaves_none_active():
    def failing():
        raise ValueError("no kernels")

    register([], "h")
    attention.register_flash_attention_impl("bad", register_fn=failing)
    attention.activate_flash_attention_impl("h")
    with pytest.raises(ValueError, match="no kernels"):
        attention.activate_flash_attention_impl("bad")
    assert attention.current_flash_attention_impl() is None


def test_names_that_are_not_there():
    with pytest.raises(ValueError, match="Unknown flash attention impl 'x'. Available implementations:"):
        attention.activate_flash_attention_impl("x")
    with pytest.raises(ModuleNotFoundError, match="flash_attn"):
        attention.activate_flash_attention_impl("FA3")
    with pytest.raises(TypeError):
        attention.register_flash_attention_impl("x", lambda: None)
    assert attention.WARN_FOR_UNFUSED_KERNELS is False


def test_restoring_what_is_not_replaced_warns():
    with pytest.warns(UserWarning, match="Trying to restore default FA2 impl when no custom impl was activated"):
        attention.restore_flash_attention_impl()
    attention.restore_flash_attention_impl(_raise_warn=False)
