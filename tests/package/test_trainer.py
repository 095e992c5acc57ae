"""torch.utils.trainer: the loop, when plugins are called, and what they measure."""

import re

import pytest
import torch
from torch.utils.trainer import Trainer, plugins


class Line:
    """y = w x, with squared errors, and its derivative by hand: a model, a criterion and an optimizer."""

    def __init__(self, weight=0.0, rate=0.1, calls=1):
        self.weight, self.rate, self.calls = weight, rate, calls
        self.gradient = None

    def __call__(self, batch):
        self.batch = batch
        return batch * self.weight

    def criterion(self, output, target):
        model = self

        class Loss:
            value = ((output - target) ** 2).mean()

            def backward(self):
                model.gradient += (2 * (output - target) * model.batch).mean().item()

            def detach(self):
                return self.value

        return Loss()

    def zero_grad(self):
        self.gradient = 0.0

    def step(self, closure):
        for _ in range(self.calls):
            closure()
        self.weight -= self.rate * self.gradient


def data(count=4):
    return [(torch.full((2,), float(number)), torch.full((2,), 3.0 * number)) for number in range(1, count + 1)]


def trainer(count=4, **options):
    line = Line(**options)
    return Trainer(line, line.criterion, line, data(count)), line


class Recorder(plugins.Plugin):
    """Writes down what it is called with."""

    def __init__(self, interval, name="", log=None):
        super().__init__(interval)
        self.name, self.log = name, [] if log is None else log

    def register(self, trainer):
        self.trainer = trainer

    def _called(event):
        def method(self, *arguments):
            self.log.append((self.name + event, *arguments))

        return method

    batch, iteration, update, epoch = map(_called, ("batch", "iteration", "update", "epoch"))


def test_it_learns():
    made, line = trainer(rate=0.01)
    made.run(30)
    assert abs(line.weight - 3) < 1e-3 and made.iterations == 120


def test_events_in_their_order_with_what_they_bring():
    made, line = trainer(1, rate=0.5)
    recorder = Recorder([(1, "epoch"), (1, "update"), (1, "iteration"), (1, "batch")])
    made.register_plugin(recorder)
    made.run(2)
    assert recorder.trainer is made
    assert [entry[:2] for entry in recorder.log] == [
        *(("batch", 1), ("iteration", 1), ("update", 1), ("epoch", 1)),
        *(("batch", 2), ("iteration", 2), ("update", 2), ("epoch", 2)),
    ]
    _, _, batch, target, output, loss = recorder.log[1]
    assert (batch.tolist(), target.tolist(), output.tolist(), loss.item()) == ([1, 1], [3, 3], [0, 0], 9)
    assert recorder.log[2][2] is line and len(recorder.log[3]) == 2


def test_intervals_go_on_over_epochs_and_epochs_count_from_one():
    made, _ = trainer(4)
    every = Recorder([(3, "iteration"), (2, "epoch")])
    made.register_plugin(every)
    made.run(2)
    made.run(2)
    assert [entry[:2] for entry in every.log if entry[0] == "iteration"] == [
        ("iteration", n) for n in (3, 6, 9, 12, 15)
    ]
    assert [entry[1] for entry in every.log if entry[0] == "epoch"] == [2]


def test_of_two_at_once_the_first_registered_comes_first():
    made, _ = trainer(3)
    log = []
    for name, number in (("a ", 2), ("b ", 1), ("c ", 2)):
        made.register_plugin(Recorder((number, "iteration"), name, log))  # one pair without a list
    made.run()
    assert [entry[0][0] + str(entry[1]) for entry in log] == ["b1", "a2", "b2", "c2", "b3"]


def test_the_closures_first_output_is_what_plugins_see():
    made, line = trainer(1, calls=3)
    recorder = Recorder((1, "iteration"))
    made.register_plugin(recorder)
    made.run()
    assert recorder.log[0][5].item() == 9 and line.gradient == pytest.approx(-18)
    made, _ = trainer(1, calls=0)
    made.register_plugin(recorder := Recorder((1, "iteration")))
    made.run()
    assert recorder.log[0][4:] == (None, None)


@pytest.mark.parametrize("interval,said", [((1, "epochs"), "'epochs'; events: iteration"), ((0, "epoch"), "every 0"),
                                           ([(1, "epoch"), (1.5, "batch")], "every 1.5")])  # fmt: skip
def test_intervals_that_there_are_not(interval, said):
    made, _ = trainer()
    recorder = Recorder(interval)
    with pytest.raises(ValueError, match=re.escape(said)):
        made.register_plugin(recorder)
    assert not any(made.plugin_queues.values()) and not hasattr(recorder, "trainer")


def test_bases_say_what_is_missing():
    with pytest.raises(NotImplementedError, match="Plugin does not say.*register"):
        trainer()[0].register_plugin(plugins.Plugin())
    with pytest.raises(NotImplementedError, match="Monitor does not say.*_get_value"):
        made, _ = trainer()
        made.register_plugin(plugins.Monitor())
        made.run()
    with pytest.raises(ValueError, match="got 1"):
        plugins.Monitor(smoothing=1)


# ---- monitors


def test_loss_and_its_averages():
    made, _ = trainer(2, rate=0.0)
    made.register_plugin(plugins.LossMonitor(smoothing=0.5))
    made.train()
    stats = made.stats["loss"]
    assert (stats["last"], stats["running_avg"], stats["epoch_mean"]) == (36, 22.5, 0)
    made.call_plugins("epoch", 1)
    assert stats["epoch_mean"] == 22.5
    made.run()
    assert stats["epoch_mean"] == 22.5 and stats["running_avg"] == (22.5 / 2 + 4.5) / 2 + 18
    made, _ = trainer(2)
    made.register_plugin(plugins.LossMonitor(running_average=False, epoch_average=False))
    made.run()
    assert "running_avg" not in made.stats["loss"] and "epoch_mean" not in made.stats["loss"]


def test_accuracy():
    made = Trainer()
    made.register_plugin(plugins.AccuracyMonitor())
    output = torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    made.call_plugins("iteration", 1, None, torch.tensor([1, 0, 0, 1]), output, None)
    assert made.stats["accuracy"]["last"] == 75.0
    made.call_plugins("iteration", 2, None, torch.empty(0, dtype=torch.int64), torch.empty(0, 2), None)
    assert made.stats["accuracy"]["last"] == 0.0 and made.stats["accuracy"]["log_unit"] == "%"


def test_time(monkeypatch):
    clock = iter([10.0, 10.25, 10.75])
    monkeypatch.setattr("torch.utils.trainer.plugins.time.time.perf_counter", lambda: next(clock))
    made, _ = trainer(3)
    log = []
    made.register_plugin(plugins.TimeMonitor())
    made.register_plugin(recorder := Recorder((1, "iteration")))
    recorder.iteration = lambda *_: log.append(made.stats["time"]["last"])
    made.run()
    assert log == [0.0, 250.0, 500.0]


def test_progress():
    made, _ = trainer(4)
    made.register_plugin(plugins.ProgressMonitor())
    made.train()
    assert made.stats["progress"]["samples_used"] == 4 and made.stats["progress"]["percent"] == 100.0
    made.dataset = data(2)
    made.call_plugins("epoch", 1)
    assert (made.stats["progress"]["samples_used"], made.stats["progress"]["epoch_size"]) == (0, 2)


# ---- logger


def test_a_line_for_each_iteration_and_a_block_for_each_epoch(capsys):
    made, _ = trainer(2, rate=0.0)
    for plugin in (
        plugins.ProgressMonitor(),
        plugins.LossMonitor(precision=1, smoothing=0.5),
        plugins.Logger(["progress", "loss", "loss.last", "nobody", "progress.percent"]),
    ):
        made.register_plugin(plugin)
    made.run()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "progress: 1/2 (50.00%)\tloss: 9.0 (9.0)\tloss.last: 9.0\tprogress.percent: 50.0"
    assert lines[1].startswith("progress: 2/2 (100.00%)\tloss: 36.0 (22.5)")
    assert lines[2] == lines[-1] == "#" * 80 and lines[3] == "Epoch 1 summary:" and lines[4] == "    loss: 22.5"


def test_a_logger_that_writes_elsewhere_and_seldom():
    class Kept(plugins.Logger):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.lines = []

        def log(self, text):
            self.lines.append(text)

    made, _ = trainer(5, rate=0.0)
    logger = Kept(["loss"], [(2, "iteration")])
    made.register_plugin(logger)
    made.run()
    assert logger.lines == [], "nothing is measured"
    made.register_plugin(plugins.LossMonitor(precision=0))
    made.run()
    assert [line.split()[1] for line in logger.lines] == ["9", "36", "144"]
