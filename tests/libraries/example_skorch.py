import numpy as np
import torch
from common import fixed
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skorch import NeuralNetClassifier
from skorch.callbacks import EpochScoring


class Net(torch.nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.layers = fixed(
            torch.nn.Sequential(
                torch.nn.Linear(4, width), torch.nn.ReLU(), torch.nn.Linear(width, 2), torch.nn.Softmax(-1)
            )
        )

    def forward(self, x):
        return self.layers(x)


def run():
    x = np.sin(np.arange(160)).reshape(40, 4).astype(np.float32)
    y = (x.sum(1) > 0).astype(np.int64)
    net = NeuralNetClassifier(
        Net,
        max_epochs=4,
        lr=0.2,
        train_split=None,
        batch_size=10,
        verbose=0,
        callbacks=[EpochScoring("accuracy", name="acc", on_train=True, lower_is_better=False)],
    )
    pipeline = make_pipeline(StandardScaler(), net)
    pipeline.fit(x, y)
    return {
        "losses": net.history[:, "train_loss"],
        "accuracy": [float(a) for a in net.history[:, "acc"]],
        "predicted": pipeline.predict_proba(x)[:3].tolist(),
        "score": float(pipeline.score(x, y)),
    }
