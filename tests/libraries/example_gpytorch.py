import gpytorch
import torch
from common import wave


class Regression(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood):
        super().__init__(x, y, likelihood)
        self.mean = gpytorch.means.ConstantMean()
        self.kernel = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean(x), self.kernel(x))


def run():
    x = torch.linspace(0, 1, 20)
    y = torch.sin(x * 6) + wave(20, scale=0.05)
    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = Regression(x, y, likelihood)
    model.train(), likelihood.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    marginal = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    losses = []
    for _ in range(15):
        optimizer.zero_grad()
        loss = -marginal(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    model.eval(), likelihood.eval()
    with torch.no_grad():
        predicted = likelihood(model(torch.linspace(0, 1, 7)))
    return {
        "losses": losses,
        "mean": predicted.mean,
        "variance": predicted.variance,
        "length": model.kernel.base_kernel.lengthscale,
        "matern": gpytorch.kernels.MaternKernel(nu=2.5)(x[:, None]).to_dense(),
    }
