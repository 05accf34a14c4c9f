"""Audio as arrays and bytes: decode, facts, loudness, limiter, convolution, Ambisonics, fingerprints.

Conventions of the whole room: a mono signal has shape ``(frames,)``, a multichannel one ``(frames, channels)``;
samples are float64 with full scale at ±1.0; the sample rate is an ``int`` in Hz and travels beside the signal.
Every function is pure: equal arguments give equal bytes. Modules are imported one by one
(``from sonolake.audio.loudness import loudness``); importing this package loads nothing heavy.
"""
