"""What is in packages, and why something cannot be."""

from torch.package.analyze.find_first_use_of_broken_modules import (
    find_first_use_of_broken_modules as find_first_use_of_broken_modules,
)
from torch.package.analyze.trace_dependencies import trace_dependencies as trace_dependencies
