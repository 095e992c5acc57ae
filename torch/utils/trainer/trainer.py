"""Trainer: epochs, iterations, and the events that plugins wait for."""

import heapq
import itertools
import numbers


class Trainer:
    """Runs a model over a dataset, an optimizer step for each item, and calls plugins on the way.

    model      called with an item's input
    criterion  called with the model's output and the item's target; its result has `backward()`
    optimizer  has `zero_grad()` and `step(closure)`, which calls the closure as often as it likes
    dataset    an iterable of pairs (input, target), iterated once per epoch

    `iterations` counts the items of all epochs; `stats` is a dict for what plugins measure, a dict for each of them.
    A plugin that waits for an event has a method of its name, called with the number of the event (from 1) and:

    batch      input, target: before the item is used
    iteration  input, target, output, loss: after its step; the last two of the closure's first call, detached
    update     the model: after each step, once the iteration's plugins have been called
    epoch      nothing more: after the last item of an epoch
    """

    def __init__(self, model=None, criterion=None, optimizer=None, dataset=None):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.dataset = dataset
        self.iterations = 0
        self.stats = {}
        self.plugin_queues = {event: [] for event in ("iteration", "epoch", "batch", "update")}
        self._order = itertools.count()  # of two that are due at once, the one registered first

    def register_plugin(self, plugin):
        """Has `plugin.register(self)` called, and the plugin itself whenever its `trigger_interval` says.

        That is a pair (number, event) or a list of them; ValueError for an event that there is not, or a number
        that is not a positive integer. Nothing has been registered then.
        """
        intervals = plugin.trigger_interval
        intervals = list(intervals) if isinstance(intervals, list) else [intervals]
        for every, event in intervals:
            if event not in self.plugin_queues:
                raise ValueError(
                    f"{type(plugin).__name__} waits for {event!r}; events: {', '.join(self.plugin_queues)}"
                )
            if not isinstance(every, numbers.Integral) or every < 1:
                raise ValueError(
                    f"{type(plugin).__name__} waits for every {every!r} of {event!r}; at least 1 is possible"
                )
        plugin.register(self)
        for every, event in intervals:
            heapq.heappush(self.plugin_queues[event], (every, next(self._order), every, plugin))

    def call_plugins(self, queue_name, time, *args):
        """Calls all that are due when event `queue_name` happens for the `time`th time."""
        queue = self.plugin_queues[queue_name]
        while queue and queue[0][0] <= time:
            _, order, every, plugin = queue[0]
            heapq.heapreplace(queue, (time + every, order, every, plugin))
            getattr(plugin, queue_name)(time, *args)

    def run(self, epochs=1):
        """So many epochs. The number of an epoch starts at 1 with each call."""
        for epoch in range(1, epochs + 1):
            self.train()
            self.call_plugins("epoch", epoch)

    def train(self):
        """One epoch."""
        for count, (batch, target) in enumerate(self.dataset, self.iterations + 1):
            self.call_plugins("batch", count, batch, target)
            output, loss = self._step(batch, target)
            self.iterations = count
            self.call_plugins("iteration", count, batch, target, output, loss)
            self.call_plugins("update", count, self.model)

    def _step(self, batch, target):
        first = []

        def closure():
            output = self.model(batch)
            loss = self.criterion(output, target)
            loss.backward()
            if not first:
                first.extend((_detached(output), _detached(loss)))
            return loss

        self.optimizer.zero_grad()
        self.optimizer.step(closure)
        return first or (None, None)  # an optimizer that never called the closure


def _detached(value):
    """Without its gradient state, where it has one."""
    detach = getattr(value, "detach", None)
    return value if detach is None else detach()
