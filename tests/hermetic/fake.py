# Stands in for torch and numpy on a poisoned PYTHONPATH.
import os

with open(os.environ["DECOY_LOG"], "a") as log:
    print(f"python module {__name__}", file=log)
raise ImportError(f"a decoy {__name__} was imported")
