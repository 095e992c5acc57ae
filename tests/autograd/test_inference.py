"""Inference tensors where snippets do not reach: threads, modules, storages that change hands. The rules themselves are among
data/snippets.txt."""

import threading

import pytest
import torch


def test_other_threads_are_not_in_it():
    found = []

    def look():
        found.append((torch.is_inference_mode_enabled(), torch.ones(2).is_inference()))

    with torch.inference_mode():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert torch.ones(2).is_inference()
    assert found == [(False, False)]


def test_it_ends_with_an_exception():
    with pytest.raises(KeyError), torch.inference_mode():
        raise KeyError
    assert not torch.ones(2).is_inference()
    assert torch.is_grad_enabled()


def test_a_model_that_was_moved_in_it_can_be_trained():
    model = torch.nn.Linear(2, 2)
    with torch.inference_mode():
        model.double()
    assert not model.weight.is_inference()
    model(torch.ones(1, 2).double()).sum().backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    assert model.weight.grad.tolist() == [[1, 1], [1, 1]]


def test_training_goes_on_after_an_evaluation():
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.randn(8, 3)
    for _ in range(3):
        with torch.inference_mode():
            result = model(x)
        assert result.is_inference() and not result.requires_grad
        optimizer.zero_grad()
        model(x).square().sum().backward()
        optimizer.step()


def test_what_is_stored_in_it_comes_back_as_any_tensor(tmp_path):
    with torch.inference_mode():
        x = torch.arange(3.0)
        torch.save(x, tmp_path / "x.pt")
    y = torch.load(tmp_path / "x.pt")
    assert not y.is_inference()
    y.add_(1)


def test_views_share_what_they_are():
    with torch.inference_mode():
        x = torch.ones(2, 3)
    for view in (x.t(), x[0], x.view(6), x.unsqueeze(0), x.expand(2, 2, 3), *x.unbind(), torch.real(x)):
        assert view.is_inference()
        with pytest.raises(
            RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"
        ):
            view.zero_()
    assert x.tolist() == [[1, 1, 1], [1, 1, 1]]
