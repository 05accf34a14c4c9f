"""Synthetic sounds: each a pure function of a recipe (name, variant) to samples.

Mono float64, 44.1 kHz, peak at most 1.0. Everything made here is marked synthetic, licensed CC0-1.0 and
credited to "sonolake procedural".
"""
