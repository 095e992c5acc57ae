"""Programs of optimisers, state, data and graphs: see learning_programs.py."""

import copy
import io
import itertools

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from learning_programs import Residual, batch, mlp, named, program, randn, step, train
from torch import nn
from torch.nn.utils import prune
from torch.utils import checkpoint as checkpointing
from torch.utils.data import DataLoader, TensorDataset


# ---- optimisers ----------------------------------------------------------------------------------------------
def optimised(kind, **options):
    def run(device):
        model, (x, target) = mlp().to(device), batch(device)
        chosen = options | ({} if device == "cuda" or "capturable" not in options else {"capturable": False})
        losses = train(model, x, target, lambda p: getattr(torch.optim, kind)(p, **chosen))
        return losses

    return run


for kind, flags in {
    "SGD": ({"momentum": 0.9}, {"fused": True, "momentum": 0.9, "weight_decay": 0.1}, {"foreach": True, "lr": 0.05}),
    "Adam": ({"amsgrad": True}, {"fused": True}, {"foreach": True}, {"capturable": True}, {"maximize": True}),
    "AdamW": ({}, {"fused": True, "amsgrad": True}, {"capturable": True, "foreach": True}),
    "Adagrad": ({}, {"foreach": False}),
    "Adamax": ({}, {"capturable": True}),
    "NAdam": ({}, {"capturable": True, "foreach": True}),
    "RAdam": ({}, {"capturable": True}),
    "RMSprop": ({"momentum": 0.5}, {"capturable": True}),
    "Rprop": ({}, {"capturable": True}),
    "ASGD": ({}, {"capturable": True}),
    "Adadelta": ({}, {"capturable": True}),
    "Adafactor": ({},),
}.items():
    for options in flags:
        named(f"{kind} {options}", optimised(kind, **options))


@program
def limited_memory_bfgs(device):
    model, (x, target) = mlp().to(device), batch(device)
    optimizer = torch.optim.LBFGS(model.parameters(), 0.5, max_iter=5, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), target)
        loss.backward()
        return loss

    return [optimizer.step(closure) for _ in range(3)], list(model.parameters())


@program
def rate_as_a_tensor(device):
    model, (x, target) = mlp().to(device), batch(device)
    return train(model, x, target, lambda p: torch.optim.Adam(p, torch.tensor(0.01, device=device), fused=True))


@program
def scheduled_rates(device):
    table, index = nn.Embedding(6, 3, scale_grad_by_freq=True).to(device), torch.tensor([1, 4, 1]).to(device)
    optimizer = torch.optim.SGD(table.parameters(), 0.5)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.5, total_steps=4)
    for _ in range(3):
        optimizer.zero_grad()
        table(index).square().sum().backward()
        optimizer.step()
        scheduler.step()
    return table.weight, scheduler.get_last_lr()


@program
def averaged_weights(device):
    model, (x, target) = mlp().to(device), batch(device)
    averages = [
        torch.optim.swa_utils.AveragedModel(model),
        torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)),
    ]
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(3):
        optimizer.zero_grad()
        F.cross_entropy(model(x), target).backward()
        optimizer.step()
        for average in averages:
            average.update_parameters(model)
    return [list(average.parameters()) for average in averages], averages[0].n_averaged


@program
def clipped_gradients(device):
    model, (x, target), found = mlp().to(device), batch(device), []
    for norm, foreach in itertools.product((2.0, 1.0, float("inf")), (None, True, False)):
        model.zero_grad()
        F.cross_entropy(model(x), target, reduction="sum").backward()
        found.append(nn.utils.clip_grad_norm_(model.parameters(), 0.5, norm, foreach=foreach))
        found.append([p.grad for p in model.parameters()])
    nn.utils.clip_grad_value_(model.parameters(), 0.01)
    return found, nn.utils.parameters_to_vector(model.parameters()), [p.grad for p in model.parameters()]


@program
def optimiser_state_moves(device):
    """State that was saved on the CPU goes on where the parameters are."""
    torch.manual_seed(3)
    model, (x, target) = mlp(), batch("cpu")
    first = torch.optim.AdamW(model.parameters(), 0.01)
    for _ in range(2):
        first.zero_grad()
        F.cross_entropy(model(x), target).backward()
        first.step()
    state, there = first.state_dict(), copy.deepcopy(model).to(device)
    second = torch.optim.AdamW(there.parameters(), 0.01)
    second.load_state_dict(state)
    assert all(s["exp_avg"].device.type == device and s["step"].device.type == "cpu" for s in second.state.values())
    F.cross_entropy(there(x.to(device)), target.to(device)).backward()
    second.step()
    return list(there.parameters()), second.state_dict()["state"]


# ---- state, data, graphs ---------------------------------------------------------------------------------------
@program
def saved_and_loaded(device):
    model, file = Residual().to(device), io.BytesIO()
    torch.save({"model": model.state_dict(), "step": torch.tensor(3, device=device)}, file)
    found = []
    for place in ("cpu", device, {f"{device}:0": "cpu"}, lambda storage, location: storage.cpu(), torch.device(device)):
        file.seek(0)
        state = torch.load(file, map_location=place)
        other = Residual().to(device)
        other.load_state_dict(state["model"])
        found.append((list(other.parameters()), state["step"]))
    return found


@program
def meta_then_device(device):
    with torch.device("meta"):
        model = mlp()
    model = model.to_empty(device=device)
    model.load_state_dict(mlp().state_dict())
    other = mlp()
    assigned = nn.Module.load_state_dict(other, model.state_dict(), assign=True)
    assert not assigned.missing_keys and next(other.parameters()).device.type == device
    return [p.shape for p in model.parameters()], model(torch.zeros(2, 6, device=device)).shape


@program
def modules_move(device):
    model = Residual()
    versions = [model.to(device).double().float(), copy.deepcopy(model), model.to(memory_format=torch.channels_last)]
    x = randn(device, 2, 4, 5, 5)
    with torch.device(device):
        assert nn.Linear(2, 2).weight.device.type == device
    return [version.eval()(x) for version in versions], model.cpu()(x.cpu())


def loaded(**options):
    def run(device):
        data = TensorDataset(torch.arange(24.0).view(12, 2), torch.arange(12))
        loader = DataLoader(data, 5, pin_memory=device == "cuda", **options)
        found = []
        for x, y in loader:
            assert x.is_pinned() == (device == "cuda")
            found.append((x.to(device, non_blocking=True) * 2, y.to(device, non_blocking=True)))
        return found

    return run


named("loader", loaded())
named("loader with workers", loaded(num_workers=2))
named("loader with persistent workers", loaded(num_workers=1, persistent_workers=True, prefetch_factor=3))


@program
def loader_of_device_tensors(device):
    data = TensorDataset(torch.arange(8.0).to(device), torch.arange(8).to(device))
    generator = torch.Generator().manual_seed(1)
    return [tuple(pair) for pair in DataLoader(data, 3, shuffle=True, generator=generator)]


def recomputed(**options):
    def run(device):
        model, (x, target) = mlp().to(device), batch(device)
        x.requires_grad_()
        F.cross_entropy(checkpointing.checkpoint(model, x, **options), target).backward()
        return x.grad, [p.grad for p in model.parameters()]

    return run


named("checkpoint", recomputed(use_reentrant=False))
named("checkpoint, re-entrant", recomputed(use_reentrant=True))


@program
def checkpoint_of_a_sequence(device):
    model, (x, _) = nn.Sequential(*(nn.Linear(6, 6) for _ in range(6))).to(device), batch(device)
    x.requires_grad_()
    checkpointing.checkpoint_sequential(model, 3, x, use_reentrant=False).square().sum().backward()
    return x.grad, [p.grad for p in model.parameters()]


@program
def saved_on_the_cpu(device):
    model, (x, target) = mlp().to(device), batch(device)
    with torch.autograd.graph.save_on_cpu(pin_memory=device == "cuda"):
        loss = F.cross_entropy(model(x), target)
    loss.backward()
    return [p.grad for p in model.parameters()]


@program
def hooks_of_modules_and_tensors(device):
    model, (x, target), seen = mlp().to(device), batch(device), []
    model[0].register_forward_hook(lambda module, inputs, output: output * 2)
    model[2].register_forward_pre_hook(lambda module, inputs: (inputs[0] + 1,))
    model[2].register_full_backward_hook(lambda module, of_inputs, of_outputs: seen.extend((*of_inputs, *of_outputs)))
    model[0].weight.register_hook(lambda grad: grad * 3)
    model[0].bias.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone()))
    y = model(x)
    y.register_hook(lambda grad: seen.append(grad))
    y.retain_grad()
    F.cross_entropy(y, target).backward()
    return seen, y.grad, [p.grad for p in model.parameters()]


@program
def second_derivatives(device):
    model, (x, target) = mlp().to(device), batch(device)
    x.requires_grad_()
    (grad,) = torch.autograd.grad(F.cross_entropy(model(x), target), x, create_graph=True)
    (grad.norm(2, dim=1) - 1).square().mean().backward()
    rows = torch.autograd.functional.jacobian(lambda t: model(t), x.detach()[0])
    return (
        [p.grad for p in model.parameters()],
        rows,
        torch.autograd.functional.hessian(lambda t: model(t)[0], x.detach()[0]),
    )


class Clamped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, low):
        ctx.save_for_backward(x)
        ctx.low = low
        return x.clamp(min=low)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x > ctx.low) + 0.1 * grad, None


@program
def custom_function(device):
    x = randn(device, 5).requires_grad_()
    Clamped.apply(x, 0.0).square().sum().backward()
    return x.grad


@program
def gradients_accumulate_over_devices(device):
    """A loss on the CPU of outputs there and on the device."""
    model, (x, _) = mlp().to(device), batch(device)
    (model(x).cpu().square().sum() + model(x).sum().cpu()).backward()
    return [p.grad for p in model.parameters()]


@program
def writes_and_views(device):
    x = randn(device, 4, 6).requires_grad_()
    y = x * 1
    y[:, ::2] *= 3
    y.t()[1] += y[0, 0]
    y[y > 1] = 0.5
    y.index_add_(0, torch.tensor([0, 2]).to(device), y[1:3].detach().clone())
    y.unbind(1)[3].square().sum().backward(retain_graph=True)
    y.sum().backward()
    return x.grad, y


@program
def parametrised(device):
    model = nn.utils.parametrizations.weight_norm(nn.Linear(6, 4))
    spectral = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3), n_power_iterations=3)
    whole = nn.Sequential(model, spectral).to(device).eval()
    prune.l1_unstructured(model.parametrizations.weight, "original1", amount=0.5)
    return step(whole, randn(device, 5, 6))


@program
def actor_and_critic(device):
    model, (x, _) = nn.Linear(6, 4).to(device), batch(device)
    policy = torch.distributions.Categorical(logits=model(x)[:, :3])
    actions, values = (torch.arange(10) % 3).to(device), model(x)[:, 3]
    advantage = torch.linspace(-1, 1, 10).to(device) - values
    loss = (
        -(policy.log_prob(actions) * advantage.detach()).mean()
        + advantage.square().mean()
        - 0.01 * policy.entropy().mean()
    )
    loss.backward()
    normal = torch.distributions.Normal(model(x)[:, 0], model(x)[:, 1].exp())
    return (
        loss,
        [p.grad for p in model.parameters()],
        normal.log_prob(values),
        torch.distributions.kl_divergence(normal, normal),
    )


@program
def lazy_modules(device):
    model = nn.Sequential(nn.LazyConv2d(3, 3), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(2)).to(device)
    x = randn(device, 2, 1, 5, 5)
    with torch.no_grad():
        model(x)
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
    return step(model, x)


@program
def adaptive_softmax(device):
    model = nn.AdaptiveLogSoftmaxWithLoss(6, 9, [3, 6]).to(device)
    x = randn(device, 5, 6).requires_grad_()
    found = model(x, torch.tensor([0, 4, 8, 2, 6]).to(device))
    found.loss.backward()
    return found.output, found.loss, model.log_prob(x), x.grad, model.predict(x)


@program
def batches_of_gradients(device):
    x = randn(device, 3, 4).requires_grad_()
    y = (x**3).sum(1)
    return torch.autograd.grad(y, x, torch.eye(3).to(device), is_grads_batched=True)


@program
def anomalies(device):
    x = torch.tensor([0.0, 1.0]).to(device).requires_grad_()
    try:
        with torch.autograd.detect_anomaly(check_nan=True):
            ((x / x).sqrt() * x.sqrt()).sum().backward()
    except RuntimeError as error:
        return [len(str(error).split("returned nan values"))]
    return [0]


@program
def complex_parameters(device):
    start, found = torch.randn(4, dtype=torch.complex64).to(device), []
    for kind, options in (("Adam", {}), ("SGD", {"momentum": 0.9}), ("Adam", {"foreach": True})):
        w = start.clone().requires_grad_()
        optimizer = getattr(torch.optim, kind)([w], lr=0.1, **options)
        for _ in range(3):
            optimizer.zero_grad()
            (w * w.conj()).real.sum().backward()
            optimizer.step()
        found.append(torch.view_as_real(w.detach()))
    return found


@program
def parameters_here_and_there(device):
    """One optimiser of float32 and float64 on the device and of float32 on the CPU; gradients clipped together."""
    here, wide, host = nn.Linear(3, 2).to(device), nn.Linear(2, 2).double().to(device), nn.Linear(2, 2)
    parameters = [p for m in (here, wide, host) for p in m.parameters()]
    optimizer, norms = torch.optim.AdamW(parameters, 0.01, foreach=True), []
    for _ in range(3):
        optimizer.zero_grad()
        host(wide(here(torch.ones(4, 3).to(device)).double()).float().cpu()).square().sum().backward()
        norms.append(nn.utils.clip_grad_norm_(parameters, 0.1))
        optimizer.step()
    return norms, [p.detach() for p in parameters]


@program
def default_device(device):
    torch.set_default_device(device)
    try:
        model, generator = nn.Linear(2, 2), torch.Generator(device=device)
        assert model.weight.device.type == device
        data = TensorDataset(torch.arange(4.0))
        batches = [x for (x,) in DataLoader(data, 3)]
        shuffled = [x for (x,) in DataLoader(data, 3, shuffle=True, generator=generator)]
        return batches, torch.cat(shuffled).sort().values
    finally:
        torch.set_default_device("cpu")


@program
def another_stream(device):
    x = randn(device, 4, 4).requires_grad_()
    if device == "cpu":
        (x @ x).sum().backward()
        return x.grad
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        found = (x @ x).sum()
    torch.cuda.current_stream().wait_stream(stream)
    found.backward()
    return x.grad


@program
def saved_tensors_that_are_written(device):
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        x = randn(device, 3).requires_grad_()
        y = x * 1
        z = y.sin()
        y.mul_(3)
        z.sum().backward()
    return x.grad


@program
def batch_statistics_again(device):
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)).to(device)
    batches = [torch.randn(5, 3) for _ in range(3)]
    torch.optim.swa_utils.update_bn(batches, model, device=torch.device(device))
    return list(model.buffers())
