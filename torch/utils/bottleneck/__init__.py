"""python -m torch.utils.bottleneck script.py: where a script spends its time, by Python's profiler and by torch's."""
