"""Releases as records of numpy arrays, from a folder, HTTP or S3, and as a PyTorch data set that resumes."""

from sonolake.loading.load import load
from sonolake.loading.records import Records
from sonolake.loading.stream import Stream

__all__ = ["Records", "Stream", "load"]
