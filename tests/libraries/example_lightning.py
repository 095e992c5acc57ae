import lightning
import torch
from common import fixed, wave
from torch.utils.data import DataLoader, TensorDataset


class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layers = fixed(torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1)))
        self.losses = []

    def training_step(self, batch, number):
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.layers(x), y)
        self.log("train", loss)
        self.losses.append(float(loss))
        return loss

    def validation_step(self, batch, number):
        x, y = batch
        self.log("val", torch.nn.functional.mse_loss(self.layers(x), y))

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=0.05)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1)]


def run(folder):
    x = wave(12, 6)
    data = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=4)
    model = Net()
    trainer = lightning.Trainer(
        max_epochs=3,
        accelerator="cpu",
        default_root_dir=folder,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        gradient_clip_val=1.0,
    )
    trainer.fit(model, data, data)
    (validated,) = trainer.validate(model, data, verbose=False)
    saved = torch.load(trainer.checkpoint_callback.best_model_path, weights_only=False)
    return {"losses": model.losses, "validated": validated, "epoch": saved["epoch"], "steps": saved["global_step"]}
