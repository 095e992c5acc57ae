"""no_grad and its like, inference mode, anomaly mode."""

import threading
import warnings

import pytest
import torch


def leaf(*size):
    return torch.ones(*size, requires_grad=True)


def recording():
    return (leaf(1) * 2).requires_grad


# ---- recording ---------------------------------------------------------------------------------------------
def test_contexts():
    assert recording() and torch.is_grad_enabled()
    with torch.no_grad():
        assert not recording() and not torch.is_grad_enabled()
        with torch.enable_grad():
            assert recording()
            with torch.set_grad_enabled(False):
                assert not recording()
            assert recording()
        assert not recording()
        assert torch.zeros(1, requires_grad=True).requires_grad
    assert recording()


def test_contexts_end_with_errors():
    with pytest.raises(KeyError), torch.no_grad():
        raise KeyError
    assert torch.is_grad_enabled()


def test_set_grad_enabled_is_a_function_too():
    torch.set_grad_enabled(False)
    assert not recording()
    torch.set_grad_enabled(True)
    assert recording()
    with pytest.raises(
        TypeError, match=r"set_grad_enabled\(\): argument 'enabled' \(position 1\) must be bool, not str"
    ):
        torch.set_grad_enabled("yes")


def test_decorators():
    @torch.no_grad()
    def off():
        return recording()

    @torch.no_grad
    def plain():
        return recording()

    @torch.set_grad_enabled(False)
    def by_mode():
        return recording()

    @torch.no_grad()
    def calls():
        return on()

    @torch.enable_grad()
    def on():
        """Docs."""
        return recording()

    assert not off() and not plain() and not by_mode() and calls() and recording()
    assert on.__name__ == "on" and on.__doc__ == "Docs."


def test_generators():
    @torch.no_grad()
    def numbers():
        try:
            while True:
                assert not recording()
                got = yield torch.is_grad_enabled()
                assert got == "sent"
        except KeyError:
            assert not recording()
            yield "caught"
        return "result"

    steps = numbers()
    assert next(steps) is False
    assert recording()  # between the steps the caller's mode holds
    assert steps.send("sent") is False
    assert recording()
    assert steps.throw(KeyError) == "caught"
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert end.value.value == "result" and recording()
    steps = numbers()
    next(steps)
    steps.close()
    assert recording()


def test_a_context_may_be_entered_again():
    mode = torch.no_grad()
    for _ in range(2):
        with mode:
            assert not recording()
        assert recording()


def test_modes_are_of_a_thread():
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(recording()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_writes_without_recording():
    x = leaf(3)
    with torch.no_grad():
        x.add_(1)
        x[0] = 5
        x[1:].zero_()
    assert x.tolist() == [5, 0, 0] and x.is_leaf and x.requires_grad


# ---- inference mode ----------------------------------------------------------------------------------------
def test_inference_mode():
    assert not torch.is_inference_mode_enabled()
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled() and not recording()
        with torch.inference_mode(False):
            assert not torch.is_inference_mode_enabled() and recording()
        assert torch.is_inference_mode_enabled()
    assert recording()

    @torch.inference_mode
    def inside():
        return torch.is_inference_mode_enabled()

    @torch.inference_mode()
    def called():
        return torch.is_inference_mode_enabled()

    assert inside() and called() and not torch.is_inference_mode_enabled()


# ---- anomaly mode ------------------------------------------------------------------------------------------
class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        raise ValueError("bad")


def test_the_forward_call_is_shown():
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled"):
        context = torch.autograd.detect_anomaly()

    def the_culprit(x):
        return Bad.apply(x)

    with context:
        assert torch.is_anomaly_enabled()
        y = the_culprit(leaf(2))
        with pytest.warns(
            UserWarning, match="(?s)Error detected in BadBackward. Traceback of forward call.*the_culprit"
        ):
            with pytest.raises(ValueError, match="bad"):
                y.sum().backward()
    assert not torch.is_anomaly_enabled()


def test_what_was_recorded_without_it_has_no_traceback():
    y = Bad.apply(leaf(2))
    with torch.autograd.set_detect_anomaly(True):
        with pytest.warns(UserWarning, match="Error detected in BadBackward. No forward pass information available"):
            with pytest.raises(ValueError, match="bad"):
                y.sum().backward()


def test_nan():
    x = torch.zeros(2, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            y = (x / x).sum()
            with pytest.raises(RuntimeError, match="Function 'DivBackward0' returned nan values in its 1th output"):
                y.backward()
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        (x / x).sum().backward()
    assert x.grad.isnan().all()


def test_it_is_a_function_too():
    torch.autograd.set_detect_anomaly(True)
    assert torch.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(False)
    assert not torch.is_anomaly_enabled()


def test_multithreading():
    with torch.autograd.set_multithreading_enabled(False):
        (leaf(2) * 2).sum().backward()
