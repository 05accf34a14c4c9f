"""Published checkpoints by the SHA-256 of their files.

The hashes are those that the Hugging Face hub shows of the authors' files (``lukewys/laion_clap``), or, for BEATs,
whose authors keep theirs elsewhere, of three copies by others that agree. A file that is not listed runs just as well:
its own tensors say how it is built.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Checkpoint:
    """A published file: its name and the licence of its weights, as its authors state it."""

    name: str
    licence: str


UNKNOWN = Checkpoint("", "LicenseRef-own-weights")
"""What is said of a file that is not listed."""

PUBLISHED = {
    "e5815275a04b6885e7b8af63d120b29bffae2cd2225cf4915e1ec6d819d3022c": Checkpoint(
        "BEATs_iter3_plus_AS2M_finetuned_on_AS2M_cpt2.pt", "MIT"
    ),
    "8053c9775516af2f4902e1e8281e356cc1bf7a85e8b761908170767b77c3f037": Checkpoint(
        "630k-audioset-best.pt", "CC0-1.0"
    ),
    "e02951eae3c9955db546c50086059e6457188ec39446858f2bddbcb4b56b1cb3": Checkpoint(
        "630k_epoch_20_esc_89.09_map_35.92.pt", "CC0-1.0"
    ),
    "51c68f12f9d7ea25fdaaccf741ec7f81e93ee594455410f3bca4f47f88d8e006": Checkpoint(
        "music_speech_audioset_epoch_15_esc_89.98.pt", "CC0-1.0"
    ),
    "a27dfbd00d96781020d83044136f084343edab799d2657ef3cfe5c4f2222bb28": Checkpoint(
        "music_speech_epoch_15_esc_89.25.pt", "CC0-1.0"
    ),
    "fb171dd9b608aebdac3d89286cd7615c5100af4cc7dc37797c7fb8d3cc15e3a5": Checkpoint(
        "audioset_fusion_epoch_20_esc_86.8_map_36.22.pt", "CC0-1.0"
    ),
}


def checkpoint_of(sha256: str) -> Checkpoint:
    """The published file with this hash; :data:`UNKNOWN` when there is none."""
    return PUBLISHED.get(sha256, UNKNOWN)
