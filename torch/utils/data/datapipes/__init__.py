"""Data pipes: datasets that are made of one another, step by step.

`IterableWrapper(files).shuffle().sharding_filter().map(decode).batch(32)` is an IterableDataset; every step is a class of
its own, and the method that makes it is registered under a name (functional_datapipe)."""

from torch.utils.data.datapipes import dataframe, iter, map  # noqa: F401
