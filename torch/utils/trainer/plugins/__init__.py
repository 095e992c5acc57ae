"""What can be registered with a Trainer: monitors, which write into its stats, and a logger, which prints them."""

from .accuracy import AccuracyMonitor
from .logger import Logger
from .loss import LossMonitor
from .monitor import Monitor
from .plugin import Plugin
from .progress import ProgressMonitor
from .time import TimeMonitor

__all__ = ["AccuracyMonitor", "Logger", "LossMonitor", "Monitor", "Plugin", "ProgressMonitor", "TimeMonitor"]
