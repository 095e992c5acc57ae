"""Programs that train, each a function of a device that returns numbers: tests/cuda/test_learning.py compares those of a CUDA
device with the CPU's. All that is random is drawn on the CPU."""

import copy
import io
import itertools

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from torch import nn
from torch.nn.utils import prune
from torch.utils import checkpoint as checkpointing
from torch.utils.data import DataLoader, TensorDataset

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def named(name, function):
    PROGRAMS[name] = function


# ---- parts ---------------------------------------------------------------------------------------------------
def randn(device, *size, **options):
    return torch.randn(*size, **options).to(device)


def mlp():
    return nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3))


def batch(device, n=10):
    return randn(device, n, 6), (torch.arange(n) % 3).to(device)


def train(model, x, target, make, steps=4, loss=F.cross_entropy):
    """The loss of each step and the parameters after them."""
    optimizer = make(model.parameters())
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        found = loss(model(x), target)
        found.backward()
        optimizer.step()
        losses.append(found.detach())
    return losses, [p.detach() for p in model.parameters()], [p.grad for p in model.parameters()]


def step(model, *inputs, **named_inputs):
    """What a model returns, and the gradients of its square's sum by the inputs and parameters."""
    for x in inputs:
        if isinstance(x, torch.Tensor) and x.is_floating_point():
            x.requires_grad_()
    found = model(*inputs, **named_inputs)
    flat = [t for t in leaves(found) if t.requires_grad]
    sum((t * t).sum() for t in flat).backward()
    return found, [x.grad for x in inputs if isinstance(x, torch.Tensor)], [p.grad for p in model.parameters()]


def leaves(found):
    """The tensors of a structure."""
    if isinstance(found, torch.Tensor):
        return [found]
    if isinstance(found, nn.utils.rnn.PackedSequence):
        return [found.data, found.batch_sizes]
    if isinstance(found, dict):
        return [t for _, value in sorted(found.items(), key=lambda item: str(item[0])) for t in leaves(value)]
    if isinstance(found, (list, tuple)):
        return [t for value in found for t in leaves(value)]
    return [] if found is None else [torch.as_tensor(found)]


# ---- models --------------------------------------------------------------------------------------------------
class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolutions = nn.ModuleList(nn.Conv2d(4, 4, 3, padding=1, groups=g) for g in (1, 2, 4))
        self.norms = nn.ModuleList((nn.BatchNorm2d(4), nn.GroupNorm(2, 4), nn.InstanceNorm2d(4, affine=True)))
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            x = x + F.gelu(norm(convolution(x)))
        return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Decoder(nn.Module):
    """A small GPT."""

    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(11, 8), nn.Embedding(5, 8)
        self.norm, self.qkv, self.out = nn.LayerNorm(8), nn.Linear(8, 24), nn.Linear(8, 8)
        self.up, self.down, self.head = nn.Linear(8, 16), nn.Linear(16, 8), nn.Linear(8, 11, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, tokens):
        n, length = tokens.shape
        x = self.tokens(tokens) + self.places(torch.arange(length, device=tokens.device))
        q, k, v = (t.view(n, length, 2, 4).transpose(1, 2) for t in self.qkv(self.norm(x)).chunk(3, -1))
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(n, length, 8))
        return self.head(x + self.down(F.silu(self.up(x))))


class Encoder(nn.Module):
    """A variational autoencoder, whose noise is given."""

    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(6, 4), nn.Linear(2, 6)

    def forward(self, x, noise):
        mean, log_variance = self.encode(x).chunk(2, -1)
        again = self.decode(mean + noise * (0.5 * log_variance).exp())
        distance = F.binary_cross_entropy_with_logits(again, x.sigmoid().detach(), reduction="sum")
        return distance - 0.5 * (1 + log_variance - mean**2 - log_variance.exp()).sum()


@program
def residual_network(device):
    model = Residual().to(device)
    x, target = randn(device, 6, 4, 7, 6), (torch.arange(6) % 3).to(device)
    trained = train(model, x, target, lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, nesterov=True))
    return trained, model.eval()(x), dict(model.named_buffers())


@program
def decoder(device):
    model, tokens = Decoder().to(device), torch.randint(11, (3, 6)).to(device)
    decay, plain = [p for p in model.parameters() if p.dim() > 1], [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": decay, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}]
    loss = lambda y, t: F.cross_entropy(y.reshape(-1, 11), t.reshape(-1))  # noqa: E731 - no name is better
    return train(model, tokens[:, :-1], tokens[:, 1:], lambda _: torch.optim.AdamW(groups, 0.01, (0.9, 0.95), eps=1e-2), 4, loss)


@program
def variational_autoencoder(device):
    model = Encoder().to(device)
    x, noise = randn(device, 5, 6), randn(device, 5, 2)
    optimizer, losses = torch.optim.RMSprop(model.parameters(), 0.01, centered=True), []
    for _ in range(3):
        optimizer.zero_grad()
        losses.append(model(x, noise))
        losses[-1].backward()
        optimizer.step()
    return losses, list(model.parameters())


def recurrent(kind, **options):
    def run(device):
        model = getattr(nn, kind)(4, 5, 2, batch_first=True, **options).to(device)
        return step(model, randn(device, 3, 6, 4))

    return run


for kind in ("RNN", "LSTM", "GRU"):
    named(f"recurrent {kind}", recurrent(kind))
    named(f"recurrent {kind}, both ways", recurrent(kind, bidirectional=True, bias=False))
named("recurrent LSTM, projected", recurrent("LSTM", proj_size=3))
named("recurrent RNN, relu", recurrent("RNN", nonlinearity="relu"))


@program
def packed_sequences(device):
    model = nn.LSTM(4, 5, batch_first=True, bidirectional=True).to(device)
    x = randn(device, 3, 6, 4).requires_grad_()
    packed = nn.utils.rnn.pack_padded_sequence(x, [4, 6, 2], batch_first=True, enforce_sorted=False)
    output, state = model(packed)
    padded, lengths = nn.utils.rnn.pad_packed_sequence(output, batch_first=True, total_length=7)
    padded.square().sum().backward()
    moved = packed.to("cpu")
    return padded, lengths, state, x.grad, moved.data, moved.sorted_indices, packed.unsorted_indices


@program
def sequences_of_a_list(device):
    parts = [randn(device, n, 3) for n in (4, 2, 1)]
    packed = nn.utils.rnn.pack_sequence(parts)
    return nn.utils.rnn.pad_sequence(parts, True, 0.5), packed, nn.utils.rnn.unpack_sequence(packed)


@program
def recurrent_cells(device):
    found = []
    for kind in ("RNNCell", "LSTMCell", "GRUCell"):
        cell, x, state = getattr(nn, kind)(4, 5).to(device), randn(device, 3, 4), None
        for _ in range(3):
            state = cell(x, state)
        leaves(state)[0].square().sum().backward()
        found.append((state, [p.grad for p in cell.parameters()]))
    return found


@program
def transformer(device):
    model = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True).to(device)
    mask = nn.Transformer.generate_square_subsequent_mask(4, device=device)
    source, target = randn(device, 3, 5, 8), randn(device, 3, 4, 8)
    hidden = torch.tensor([[False] * 5, [False] * 3 + [True] * 2, [False] * 5]).to(device)
    return step(model, source, target, tgt_mask=mask, src_key_padding_mask=hidden)


@program
def transformer_in_eval(device):
    layer = nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", norm_first=True)
    model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).to(device).eval()
    with torch.no_grad():
        return model(randn(device, 5, 3, 8))


@program
def attention_with_weights(device):
    model = nn.MultiheadAttention(8, 2, kdim=4, vdim=6, add_bias_kv=True, add_zero_attn=True).to(device)
    return step(model, randn(device, 5, 3, 8), randn(device, 4, 3, 4), randn(device, 4, 3, 6))


@program
def autoencoder_of_images(device):
    model = nn.Sequential(
        nn.Conv2d(1, 3, 3, 2, 1), nn.ELU(), nn.MaxPool2d(2), nn.ConvTranspose2d(3, 2, 4, 2, 1), nn.PReLU(),
        nn.Upsample(scale_factor=2, mode="bilinear"), nn.ReflectionPad2d(1), nn.Conv2d(2, 1, 3), nn.Sigmoid(),
    ).to(device)  # fmt: skip
    return step(model, randn(device, 2, 1, 8, 8))


@program
def volumes_and_signals(device):
    volume = nn.Sequential(nn.Conv3d(1, 2, 3, padding=1), nn.BatchNorm3d(2), nn.AvgPool3d(2)).to(device)
    signal = nn.Sequential(nn.Conv1d(2, 3, 3, dilation=2), nn.LeakyReLU(), nn.ConvTranspose1d(3, 2, 3)).to(device)
    return step(volume, randn(device, 2, 1, 4, 4, 4)), step(signal, randn(device, 2, 2, 9))


@program
def bags_and_embeddings(device):
    bag, table = nn.EmbeddingBag(7, 3, mode="mean").to(device), nn.Embedding(7, 3, padding_idx=0, max_norm=1.0).to(device)
    index, offsets = torch.tensor([1, 2, 4, 5, 0, 3]).to(device), torch.tensor([0, 2, 5]).to(device)
    found = bag(index, offsets), table(index)
    (found[0].square().sum() + found[1].square().sum()).backward()
    return found, bag.weight.grad, table.weight.grad, table.weight


@program
def criterions(device):
    x, y, classes = randn(device, 4, 5), randn(device, 4, 5), torch.tensor([1, 0, 4, 2]).to(device)
    signs, found = torch.tensor([1.0, -1.0, 1.0, 1.0]).to(device), []
    weight = torch.linspace(0.5, 1.5, 5).to(device)
    for loss, arguments in (
        (nn.CrossEntropyLoss(weight, label_smoothing=0.1), (classes,)),
        (nn.NLLLoss(ignore_index=4), (classes,)),
        (nn.MSELoss(), (y,)),
        (nn.L1Loss(reduction="sum"), (y,)),
        (nn.SmoothL1Loss(beta=0.5), (y,)),
        (nn.HuberLoss(delta=0.7), (y,)),
        (nn.KLDivLoss(reduction="batchmean", log_target=True), (y,)),
        (nn.BCEWithLogitsLoss(pos_weight=weight), (y.sigmoid(),)),
        (nn.MultiMarginLoss(p=2), (classes,)),
        (nn.MultiLabelSoftMarginLoss(), (y.sigmoid(),)),
        (nn.PoissonNLLLoss(), (y.exp(),)),
        (nn.GaussianNLLLoss(), (y, y.exp())),
        (nn.CosineEmbeddingLoss(), (y, signs)),
        (nn.TripletMarginLoss(swap=True), (y, y.flip(0))),
        (nn.HingeEmbeddingLoss(), (y.sign(),)),
        (nn.SoftMarginLoss(), (y.sign(),)),
    ):
        z = x.clone().requires_grad_()
        value = loss.to(device)(z, *arguments)
        value.backward()
        found.append((value, z.grad))
    return found


@program
def connectionist_classification(device):
    x = randn(device, 6, 2, 5).log_softmax(-1).requires_grad_()
    targets, lengths = torch.tensor([[1, 2, 3], [4, 4, 1]]).to(device), torch.tensor([6, 5]).to(device)
    loss = nn.CTCLoss()(x, targets, lengths, torch.tensor([3, 2]).to(device))
    loss.backward()
    return loss, x.grad


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
def sparse_adam(device):
    table, index = nn.Embedding(6, 3, sparse=False).to(device), torch.tensor([1, 4, 1]).to(device)
    optimizer, scheduler = torch.optim.SGD(table.parameters(), 0.5), None
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
    return [p.grad for p in model.parameters()], rows, torch.autograd.functional.hessian(lambda t: model(t)[0], x.detach()[0])


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
    loss = -(policy.log_prob(actions) * advantage.detach()).mean() + advantage.square().mean() - 0.01 * policy.entropy().mean()
    loss.backward()
    normal = torch.distributions.Normal(model(x)[:, 0], model(x)[:, 1].exp())
    return loss, [p.grad for p in model.parameters()], normal.log_prob(values), torch.distributions.kl_divergence(normal, normal)


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
def vmap_free_batches_of_gradients(device):
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
