"""Programs that train models, each a function of a device that returns numbers: tests/cuda/test_learning.py compares those of a
CUDA device with the CPU's. All that is random is drawn on the CPU. More: learning_steps.py."""

import torch
import torch.nn.functional as F  # noqa: N812 - as everyone has it
from torch import nn

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
    return train(
        model, tokens[:, :-1], tokens[:, 1:], lambda _: torch.optim.AdamW(groups, 0.01, (0.9, 0.95), eps=1e-2), 4, loss
    )


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
    bag, table = (
        nn.EmbeddingBag(7, 3, mode="mean").to(device),
        nn.Embedding(7, 3, padding_idx=0, max_norm=1.0).to(device),
    )
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


@program
def pooled_and_unpooled(device):
    x = randn(device, 1, 2, 6, 6).requires_grad_()
    samples = torch.full((1, 2, 2), 0.3).to(device)
    largest, index = F.max_pool2d(x, 2, return_indices=True)
    found = [
        F.max_unpool2d(largest, index, 2),
        F.lp_pool2d(x, 2, 2),
        F.adaptive_max_pool2d(x, 3),
        F.fractional_max_pool2d(x, 2, 3, _random_samples=samples),
        F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
        F.fold(F.unfold(x, 3), (6, 6), 3),
    ]
    sum(y.square().sum() for y in found).backward()
    return found, x.grad


@program
def sampled_at_a_grid(device):
    x = randn(device, 1, 2, 4, 4).requires_grad_()
    theta = torch.tensor([[[0.8, 0.1, 0.2], [-0.1, 0.9, 0.0]]]).to(device).requires_grad_()
    found = F.grid_sample(x, F.affine_grid(theta, (1, 2, 5, 5), align_corners=False), align_corners=False)
    found.square().sum().backward()
    return found, x.grad, theta.grad


@program
def activations(device):
    x, names = (
        randn(device, 4, 6).requires_grad_(),
        "ReLU ReLU6 ELU SELU CELU GELU SiLU Mish Softplus Softshrink Softsign",
    )
    names += " Hardtanh Hardswish Hardsigmoid Hardshrink Tanhshrink LogSigmoid LeakyReLU Sigmoid Tanh PReLU GLU"
    found = [getattr(nn, name)().to(device)(x) for name in names.split()]
    found += [nn.Threshold(0.1, 0.2)(x), nn.Softmax(1)(x), nn.LogSoftmax(0)(x), nn.Softmin(1)(x)]
    sum(y.square().sum() for y in found).backward()
    return found, x.grad


@program
def normalisations(device):
    x = randn(device, 4, 6, 5).requires_grad_()
    modules = nn.ModuleList((
        nn.LayerNorm([6, 5]), nn.RMSNorm(5), nn.GroupNorm(3, 6), nn.InstanceNorm1d(6, track_running_stats=True),
        nn.BatchNorm1d(6, momentum=None), nn.LocalResponseNorm(3),
    )).to(device)  # fmt: skip
    found = [module(x) for module in modules]
    sum((y**3).sum() for y in found).backward()
    return found, x.grad, [p.grad for p in modules.parameters()], list(modules.buffers())


@program
def attention_of_groups(device):
    q, k, v = (randn(device, 2, heads, n, 8).requires_grad_() for heads, n in ((4, 5), (2, 6), (2, 6)))
    mask = (torch.rand(5, 6) > 0.3).to(device)
    mask[:, 0] = True
    found = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True, scale=0.3)
    found.square().sum().backward()
    return found, q.grad, k.grad, v.grad


@program
def channels_come_last(device):
    model = nn.Conv2d(4, 6, 3).to(device, memory_format=torch.channels_last)
    x = randn(device, 2, 4, 5, 5).contiguous(memory_format=torch.channels_last)
    return step(model, x)
