import torch
from common import fixed, gradients, wave
from diffusers import AutoencoderKL, DDIMScheduler, DDPMScheduler, UNet2DModel


def run():
    model = fixed(
        UNet2DModel(
            sample_size=8,
            in_channels=1,
            out_channels=1,
            block_out_channels=(8, 16),
            norm_num_groups=4,
            down_block_types=("DownBlock2D", "AttnDownBlock2D"),
            up_block_types=("AttnUpBlock2D", "UpBlock2D"),
            layers_per_block=1,
        ),
    )
    clean, noise, times = wave(2, 1, 8, 8), wave(2, 1, 8, 8, shift=1), torch.tensor([10, 500])
    noisy = DDPMScheduler(num_train_timesteps=1000).add_noise(clean, noise, times)
    loss = torch.nn.functional.mse_loss(model(noisy, times).sample, noise)
    loss.backward()
    scheduler = DDIMScheduler(num_train_timesteps=1000)
    scheduler.set_timesteps(3)
    sample = noise
    with torch.no_grad():
        for t in scheduler.timesteps:
            sample = scheduler.step(model(sample, t).sample, t, sample).prev_sample
    encoder = fixed(
        AutoencoderKL(block_out_channels=(8,), norm_num_groups=4, latent_channels=2, layers_per_block=1), 0.05
    )
    latent = encoder.encode(wave(1, 3, 8, 8)).latent_dist
    return {
        "noisy": noisy,
        "loss": loss,
        "gradients": gradients(model),
        "sample": sample,
        "latent": latent.mean,
        "decoded": encoder.decode(latent.mode()).sample,
    }
