"""From what a sampler has yielded to what a DataLoader yields: items of the dataset, collated."""


class _BaseDatasetFetcher:
    """auto_collation: whether a sampler's value is a list of indices, whose items make a batch."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last

    def fetch(self, possibly_batched_index):
        raise NotImplementedError


class _IterableDatasetFetcher(_BaseDatasetFetcher):
    """The next items, whatever the indices are: their number is what counts. Raises StopIteration at the end."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        super().__init__(dataset, auto_collation, collate_fn, drop_last)
        self.dataset_iter = iter(dataset)
        self.ended = False

    def fetch(self, possibly_batched_index):
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.dataset_iter))
        items = []
        for _ in possibly_batched_index:
            try:
                items.append(next(self.dataset_iter))
            except StopIteration:
                self.ended = True
                break
        if not items or (self.drop_last and len(items) < len(possibly_batched_index)):
            raise StopIteration
        return self.collate_fn(items)


class _MapDatasetFetcher(_BaseDatasetFetcher):
    """The items at the indices, all at once where the dataset has __getitems__."""

    def fetch(self, possibly_batched_index):
        if not self.auto_collation:
            data = self.dataset[possibly_batched_index]
        elif getattr(self.dataset, "__getitems__", None):
            data = self.dataset.__getitems__(possibly_batched_index)
        else:
            data = [self.dataset[index] for index in possibly_batched_index]
        return self.collate_fn(data)
