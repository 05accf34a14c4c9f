"""A spatial plug-in for frozen audio-language models (RMS-AQA, section 3), trained on releases.

The modules that hold networks need PyTorch, the adapter of backbones transformers too (extra ``train``); settings and
features need neither.
"""

from sonolake.spatial.model.features import Features, features
from sonolake.spatial.model.settings import PluginShape, TrainSettings

__all__ = ["Features", "PluginShape", "TrainSettings", "features"]
