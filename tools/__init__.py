"""What setup.py builds with: options, checks of the machine, steps and their logs."""
