"""Fuzzers for operators of one kind each."""
