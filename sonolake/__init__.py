"""A data lakehouse for audio data sets."""
