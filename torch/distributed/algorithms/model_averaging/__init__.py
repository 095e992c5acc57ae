"""Means of modules that ranks train apart: every few steps, in the place of means of gradients."""
