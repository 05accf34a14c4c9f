"""A release of short clips in plane waves, and a very small backbone; both need PyTorch and transformers."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from sonolake.spatial.model import PluginShape

HOW = "pip install 'sonolake[train]' (https://pytorch.org says how on your machine)"
ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="session")
def torch():
    module = pytest.importorskip("torch", reason=HOW)
    module.set_num_threads(1)
    return module


@pytest.fixture(scope="session")
def tiny():
    """The module that makes a backbone."""
    spec = importlib.util.spec_from_file_location("tiny_backbone", ROOT / "tests" / "tiny_backbone.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def backbone_folder(torch, tiny, tmp_path_factory):
    """Random weights: it knows its words and nothing else."""
    pytest.importorskip("transformers", reason=HOW)
    return tiny.save(tmp_path_factory.mktemp("backbone"), tiny.texts(), width=32)


@pytest.fixture
def backbone(backbone_folder):
    from sonolake.spatial.model.transformers_backbone import TransformersBackbone

    return TransformersBackbone(str(backbone_folder))


@pytest.fixture(scope="session")
def small():
    return PluginShape(
        widths=(4, 4, 8, 8), blocks=1, conformers=1, conformer_width=16, heads=2, kernel=5, token_width=16,
        dropout=0.1, lora_rank=4,
    )  # fmt: skip


@pytest.fixture(scope="session")
def clips(tiny, tmp_path_factory):
    """The folder of a release with 20 clips to learn from, one of them without sound, 4 to choose by, 4 to answer."""
    counts = {"train": 20, "validation": 4, "test": 4}
    return tiny.release(tmp_path_factory.mktemp("place"), counts, silent=("train-0007",))


@pytest.fixture
def examples(tiny):
    """Makes records with what is heard of them."""
    from sonolake.spatial.model.examples import Example
    from sonolake.spatial.model.features import features

    def make(names):
        out = []
        for name in names:
            record, event, azimuth = tiny.asked(name)
            out.append(Example(record, features(tiny.scene(name, event, azimuth), tiny.RATE)))
        return out

    return make


@pytest.fixture(scope="session")
def unlike():
    """The largest difference between two arrays or tensors."""
    return lambda a, b: float(np.abs(np.asarray(a) - np.asarray(b)).max())
