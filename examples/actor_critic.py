"""An actor and its critic learn to balance a pole on a cart.

    python examples/actor_critic.py [--out FOLDER] [--quick]

Thirty-two carts run at once, each a row of a tensor. An episode ends when the pole falls, the cart leaves its track, or
after 500 steps; the task counts as solved when the last hundred episodes lasted 475 steps on average. Writes
actor_critic.png. Ends with an error if it is not solved.
"""

import argparse
import math
import pathlib
import sys
import time

import torch
from common import Progress, draw_curves
from torch import nn
from torch.distributions import Categorical
from torch.nn import functional as F

LIMIT = 500
STEPS = 32  # between two updates
SOLVED = 475


class CartPole:
    """Poles on carts, after Barto, Sutton and Anderson (1983): position, speed, angle and its speed in rows (n, 4)."""

    gravity, cart, pole, half_length, force, interval = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
    far, steep = 2.4, math.radians(12)

    def __init__(self, count):
        self.state = self.fresh(count)
        self.age = torch.zeros(count, dtype=torch.long)

    @staticmethod
    def fresh(count):
        return torch.rand(count, 4) * 0.1 - 0.05

    def accelerations(self, push):
        """Of the cart and of the pole's angle, from the two equations of motion."""
        _, _, angle, turning = self.state.unbind(1)
        total = self.cart + self.pole
        swing = (push + self.pole * self.half_length * turning**2 * angle.sin()) / total
        inertia = self.half_length * (4 / 3 - self.pole * angle.cos() ** 2 / total)
        angular = (self.gravity * angle.sin() - angle.cos() * swing) / inertia
        return swing - self.pole * self.half_length * angular * angle.cos() / total, angular

    def step(self, actions):
        """Push left (0) or right (1): what is seen then, what fell, and what ended because its time is up.

        Those that ended begin anew: `state` is what their next episode begins with.
        """
        linear, angular = self.accelerations(self.force * (2 * actions - 1))
        position, speed, angle, turning = self.state.unbind(1)
        seen = torch.stack(
            [
                position + self.interval * speed,
                speed + self.interval * linear,
                angle + self.interval * turning,
                turning + self.interval * angular,
            ],
            dim=1,
        )
        fell = (seen[:, 0].abs() > self.far) | (seen[:, 2].abs() > self.steep)
        self.age += 1
        late = ~fell & (self.age >= LIMIT)
        ended = fell | late
        lasted = self.age[ended].tolist()
        self.age[ended] = 0
        self.state = torch.where(ended.unsqueeze(1), self.fresh(len(seen)), seen)
        return seen, fell, late, lasted


class ActorCritic(nn.Module):
    """What is seen (n, 4) to a distribution of both actions (n), and what is still to be expected (n,)."""

    def __init__(self, width=64):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 2))
        self.critic = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, seen):
        return Categorical(logits=self.actor(seen)), self.critic(seen).squeeze(-1)


@torch.no_grad()
def play(model, carts, steps, discount, trace):
    """What was seen and done in so many steps, how much better it was than expected, and how long episodes lasted.

    A step is worth 1 - discount, so that what is to be expected lies between 0 and 1, which the critic learns soon. The
    advantages are Schulman's (2016): errors of the critic's one-step predictions, discounted by discount · trace.
    """
    seen, done, errors, ends, lasted = [], [], [], [], []
    for _ in range(steps):
        before = carts.state
        policy, value = model(before)
        action = policy.sample()
        after, fell, late, finished = carts.step(action)
        expected = model(after)[1] * ~fell
        seen.append(before)
        done.append(action)
        errors.append(1 - discount + discount * expected - value)
        ends.append(fell | late)
        lasted += finished
    advantage, advantages = torch.zeros(len(before)), []
    for error, end in zip(reversed(errors), reversed(ends)):
        advantage = error + discount * trace * advantage * ~end
        advantages.append(advantage)
    return torch.cat(seen), torch.cat(done), torch.cat(advantages[::-1]), lasted


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", metavar="FOLDER", default=".", type=pathlib.Path, help="where the picture goes")
    parser.add_argument("--updates", type=int, default=1500, help="at most")
    parser.add_argument("--carts", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="few updates, to see that it works")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.quick:
        options.updates = 60

    torch.manual_seed(options.seed)
    carts, model = CartPole(options.carts), ActorCritic()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    lasted, curve = [], []
    begin = time.perf_counter()
    progress = Progress(options.updates, "updates")
    for update in progress:
        seen, done, advantages, finished = play(model, carts, STEPS, discount=0.99, trace=0.95)
        lasted += finished
        policy, values = model(seen)
        targets = values.detach() + advantages
        weights = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = (policy.log_prob(done) * weights).mean()
        loss = F.mse_loss(values, targets) - gain - 0.01 * policy.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        if lasted:
            mean = sum(lasted[-100:]) / len(lasted[-100:])
            curve.append((update + 1, mean))
            progress.note(f"episodes last {mean:.0f} steps")
            if len(lasted) >= 100 and mean >= SOLVED:
                progress.clear()
                break
    took = time.perf_counter() - begin

    steps = (update + 1) * STEPS * options.carts
    print(f"the last {len(lasted[-100:])} episodes lasted {mean:.0f} steps on average")
    print(f"{update + 1} updates, {len(lasted)} episodes, {steps:,} steps in {took:.1f} s: {steps / took:,.0f} steps/s")
    draw_curves(options.out / "actor_critic.png", "cart-pole", {"last 100 episodes": curve}, "update", "steps")
    if mean < (40 if options.quick else SOLVED):
        sys.exit(f"actor_critic: not solved within {options.updates} updates")


if __name__ == "__main__":
    main()
