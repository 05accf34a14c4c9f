"""The spatial plug-in beside its mono control: the same tiny backbone, clips, steps and adapters, one of them hears W.

    OMP_NUM_THREADS=1 python benchmarks/spatial_plugin.py [--clips 240] [--epochs 6] [--taught 150] [--json]

The backbone is made and taught on the spot: it knows four sounds on W and what the words for four sides mean, but has
no ear for directions. Then it is frozen. Clips are 1 s in simulated rooms, each with a question which sound (stage 1)
and where (stage 2); rooms of test are in no other split. Chance is 25 % in both. Printed are the losses and the scores
on test in predicted context. PyTorch and transformers are needed; without them nothing is measured.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import sonolake
from sonolake.ids import rng_of
from sonolake.spatial.model import PluginShape, TrainSettings

SMALL = PluginShape(
    widths=(8, 8, 16, 16),
    blocks=1,
    conformers=1,
    conformer_width=32,
    heads=2,
    kernel=7,
    token_width=32,
    lora_rank=8,
)
"""What a processor can train in minutes; the paper's sizes are the defaults of the product."""
RATE = 3e-3


def tiny():
    path = Path(__file__).parents[1] / "tests" / "tiny_backbone.py"
    spec = importlib.util.spec_from_file_location("tiny_backbone", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def taught_backbone(made, folder, steps):
    """The folder of a backbone that knows sounds and words, and how its loss fell."""
    from sonolake.audio.resample import resample
    from sonolake.spatial.model.transformers_backbone import TransformersBackbone

    made.save(folder, made.texts())
    backbone = TransformersBackbone(str(folder))
    heard = {}

    def sounds(name, event, azimuth):
        key = f"{event}/{rng_of(name, 'take').integers(40)}"
        if key not in heard:
            w = made.scene(f"taught/{key}", event, azimuth)[:, 0]
            heard[key] = resample(w, made.RATE, 16000).astype(np.float32)
        return heard[key]

    losses = made.teach(backbone, sounds, steps, batch=16, rate=4e-3)
    backbone.network.save_pretrained(folder)
    return losses


def trained_and_tested(backbone_folder, release, folder, settings):
    """Losses of the steps, and the accuracies on test."""
    from sonolake.spatial.model.examples import example_of
    from sonolake.spatial.model.predicting import trained
    from sonolake.spatial.model.run import RunFolder, RunSettings
    from sonolake.spatial.model.system import SpatialModel
    from sonolake.spatial.model.training import accuracy, train
    from sonolake.spatial.model.transformers_backbone import TransformersBackbone

    records, validation, test = (sonolake.load(release, split) for split in ("train", "validation", "test"))
    run = RunFolder(folder)
    run.settle(RunSettings(str(backbone_folder), records.fingerprint, SMALL, settings))
    begun = time.process_time()
    model = SpatialModel(TransformersBackbone(str(backbone_folder)), SMALL, settings.spatial, settings.seed)
    train(model, records, validation, settings, run)
    took = time.process_time() - begun
    best = trained(run, TransformersBackbone(str(backbone_folder)))
    found = accuracy(best, map(example_of, test), settings)
    losses = [line["loss"] for line in run.lines() if "loss" in line]
    scores = {name: getattr(found, name).value for name in ("stage_1", "stage_2", "grounded")}
    ends = {"first_loss": float(np.mean(losses[:5])), "last_loss": float(np.mean(losses[-5:]))}
    return {"steps": len(losses), **ends, "n": found.n, **scores, "cpu_s": took}


def demonstrate(folder, clips, epochs, taught):
    made = tiny()
    losses = taught_backbone(made, folder / "backbone", taught)
    release = made.release(folder, {"train": clips, "validation": clips // 4, "test": clips // 2})
    settings = TrainSettings(epochs=epochs, batch=16, learning_rate=RATE, tokens=10)
    out = {"taught": {"first_loss": losses[0], "last_loss": losses[-1]}}
    for name, spatial in (("mono", False), ("spatial", True)):
        how = dataclasses.replace(settings, spatial=spatial)
        out[name] = trained_and_tested(folder / "backbone", release, folder / name, how)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clips", type=int, default=240)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--taught", type=int, default=150)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if any(importlib.util.find_spec(module) is None for module in ("torch", "transformers")):
        print("not measured: needs PyTorch and transformers (pip install 'sonolake[train]')")
        return
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        out = demonstrate(Path(folder), given.clips, given.epochs, given.taught)
    if given.json:
        json.dump(out, sys.stdout)
        return
    print(f"backbone taught: loss {out['taught']['first_loss']:.2f} to {out['taught']['last_loss']:.2f}")
    for name in ("mono", "spatial"):
        one = out[name]
        print(
            f"{name}: loss {one['first_loss']:.3f} to {one['last_loss']:.3f} in {one['steps']} steps",
            end=", ",
        )
        print(f"{one['cpu_s']:.0f} s of processor; {one['n']} test clips:", end=" ")
        print(*(f"{part} {100 * one[part]:.1f} %" for part in ("stage_1", "stage_2", "grounded")), sep=", ")


if __name__ == "__main__":
    main()
