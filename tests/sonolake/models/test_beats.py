"""BEATs: the front end and the network against other programs, and what a checkpoint may be.

The expected numbers were made once, apart from this repository, with the checkpoint and the sound of this file:
``speechbrain.lobes.models.beats`` of speechbrain 1.1.2 for the network, over ``torchaudio.compliance.kaldi.fbank`` of
torchaudio 2.11.1 (PyTorch 2.13.0, processor). The windows are means of its vectors.
"""

import numpy as np
import pytest

from sonolake.errors import InvalidInput, MissingPackage, NotFound
from sonolake.models.fbank import fbank

RATE = 16000
CFG = {
    "input_patch_size": 16, "embed_dim": 8, "conv_bias": False, "encoder_layers": 2, "encoder_embed_dim": 16,
    "encoder_ffn_embed_dim": 32, "encoder_attention_heads": 2, "activation_fn": "gelu", "layer_norm_first": False,
    "deep_norm": True, "conv_pos": 16, "conv_pos_groups": 4, "relative_position_embedding": True, "num_buckets": 32,
    "max_distance": 80, "gru_rel_pos": True, "finetuned_model": False, "layer_wise_gradient_decay_ratio": 0.6,
}  # fmt: skip
FRAME_10 = [12.6229, 7.8778, -15.9424, 16.8019, 17.8082, 19.8125, 21.3902]
FRAME_297 = [11.7624, 7.4502, -15.9424, 14.3456, 16.9591, 19.0742, 20.8233]
BANDS = [0, 1, 3, 20, 60, 100, 127]
WINDOW_0 = [
    1.17818, -0.65114, -0.78452, 0.4314, -0.13567, 0.48492, -0.60907, 2.35682,
    0.33335, -2.18021, 0.28441, 1.16429, 0.09294, 0.91733, 1.67339, -0.02585,
]  # fmt: skip
WINDOW_3 = [
    1.21796, -0.62917, -0.94172, 0.55946, -0.0554, 0.52635, -0.557, 2.34238,
    0.29759, -2.19522, 0.28391, 1.28581, 0.06009, 0.79926, 1.58351, -0.0119,
]  # fmt: skip


def sound(seconds=3.0):
    """A sweep from 200 Hz in noise."""
    t = np.arange(round(seconds * RATE)) / RATE
    noise = 0.02 * np.random.RandomState(7).standard_normal(len(t))
    return 0.3 * np.sin(2 * np.pi * (200 * t + 400 * t**2)) + noise


def shapes():
    """The tensors of a published checkpoint, by the names that it has."""
    narrow, wide, inner, heads = 8, 16, 32, 2
    out = {
        "patch_embedding.weight": (narrow, 1, 16, 16),
        "layer_norm.weight": (narrow,),
        "layer_norm.bias": (narrow,),
        "post_extract_proj.weight": (wide, narrow),
        "post_extract_proj.bias": (wide,),
        "encoder.pos_conv.0.weight_g": (1, 1, CFG["conv_pos"]),
        "encoder.pos_conv.0.weight_v": (wide, wide // CFG["conv_pos_groups"], CFG["conv_pos"]),
        "encoder.pos_conv.0.bias": (wide,),
        "encoder.layer_norm.weight": (wide,),
        "encoder.layer_norm.bias": (wide,),
    }
    for n in range(CFG["encoder_layers"]):
        layer = f"encoder.layers.{n}"
        for part in "kvq":
            out[f"{layer}.self_attn.{part}_proj.weight"] = (wide, wide)
            out[f"{layer}.self_attn.{part}_proj.bias"] = (wide,)
        out |= {
            f"{layer}.self_attn.out_proj.weight": (wide, wide),
            f"{layer}.self_attn.out_proj.bias": (wide,),
            f"{layer}.self_attn.grep_linear.weight": (8, wide // heads),
            f"{layer}.self_attn.grep_linear.bias": (8,),
            f"{layer}.self_attn.grep_a": (1, heads, 1, 1),
            f"{layer}.self_attn.relative_attention_bias.weight": (CFG["num_buckets"], heads),
            f"{layer}.fc1.weight": (inner, wide),
            f"{layer}.fc1.bias": (inner,),
            f"{layer}.fc2.weight": (wide, inner),
            f"{layer}.fc2.bias": (wide,),
        }
        for part in ("self_attn_layer_norm", "final_layer_norm"):
            out |= {f"{layer}.{part}.weight": (wide,), f"{layer}.{part}.bias": (wide,)}
    return out


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="BEATs runs on PyTorch, which is optional")


@pytest.fixture(scope="module")
def tensors(torch):
    draws, made = np.random.RandomState(12345), {}
    for name, shape in shapes().items():
        drawn = draws.standard_normal(shape) * 0.5
        ones = name.endswith(("norm.weight", "weight_g", "grep_a"))
        made[name] = torch.from_numpy((drawn + 1.0 if ones else drawn).astype(np.float32))
    shared = "encoder.layers.{}.self_attn.relative_attention_bias.weight"
    return made | {shared.format(1): made[shared.format(0)]}


@pytest.fixture
def beats(torch, tmp_path):
    from sonolake.models import get

    def make(model, cfg=CFG):
        path = tmp_path / f"beats-{len(list(tmp_path.iterdir()))}.pt"
        torch.save({"cfg": cfg, "model": model}, path)
        return get(f"beats:{path}")

    return make


def test_the_filter_bank_is_kaldis():
    bank = fbank(sound())
    assert bank.shape == (298, 128), "1 + (48000 - 400) / 160 whole frames"
    assert bank[10, BANDS] == pytest.approx(FRAME_10, abs=2e-4)
    assert bank[297, BANDS] == pytest.approx(FRAME_297, abs=2e-4)
    assert bank.mean() == pytest.approx(16.96587, abs=1e-4)
    assert fbank(sound(0.02)).shape == (0, 128), "shorter than a frame"


def test_the_network_is_that_of_an_independent_implementation(beats, tensors):
    encoder = beats(tensors)
    whole = sound()[: 15600 + 4 * 7680]  # five windows of 96 frames every 48, so that nothing is padded
    vectors = encoder.encode(whole, RATE)
    assert (vectors.shape, encoder.dim, vectors.dtype) == ((5, 16), 16, np.float32)
    assert vectors[0] == pytest.approx(WINDOW_0, abs=2e-4)
    assert vectors[3] == pytest.approx(WINDOW_3, abs=2e-4)


def test_the_later_names_of_the_positional_convolution_are_read_too(beats, tensors):
    later = {
        name.replace("weight_g", "parametrizations.weight.original0").replace(
            "weight_v", "parametrizations.weight.original1"
        ): tensor
        for name, tensor in tensors.items()
    }
    assert np.array_equal(beats(later).encode(sound(), RATE), beats(tensors).encode(sound(), RATE))


def test_windows_lie_where_yamnets_do_and_a_long_sound_is_heard_to_its_end(beats, tensors):
    encoder = beats(tensors)
    assert [len(encoder.encode(sound(seconds), RATE)) for seconds in (0.2, 0.96, 1.0, 9.6)] == [1, 1, 2, 19]
    long = sound(25.0)
    vectors = encoder.encode(long, RATE)
    assert len(vectors) == 52 and np.isfinite(vectors).all()
    stretch = encoder.encode(long[: round((9.6 + 0.015) * RATE)], RATE)
    assert vectors[:19] == pytest.approx(stretch[:19], abs=1e-4), "a stretch hears only itself"


def test_sounds_together_give_the_bytes_of_sounds_alone(beats, tensors):
    encoder = beats(tensors)
    sounds = [(sound(1.0), RATE), (sound(12.0), RATE), (sound(1.0)[::-1].copy(), RATE)]
    together = encoder.encode_many(sounds)
    assert all(
        np.array_equal(one, encoder.encode(*given)) for one, given in zip(together, sounds, strict=True)
    )


def test_every_file_says_its_hash_and_how_it_is_built(beats, tensors):
    first, second = beats(tensors), beats(tensors | {"layer_norm.bias": tensors["layer_norm.bias"] + 1})
    assert len(first.weights_sha256) == 64 and first.weights_sha256 != second.weights_sha256
    assert first.about == "BEATs of 2 layers, 2 heads, 16-d"
    assert first.licence == "LicenseRef-own-weights"


def test_a_checkpoint_without_what_its_cfg_asks_for_is_refused(beats, tensors):
    with pytest.raises(InvalidInput, match=r"without encoder\.layers\.2\.self_attn\.q_proj\.weight and"):
        beats(tensors, {**CFG, "encoder_layers": 3}).encode(sound(), RATE)
    with pytest.raises(InvalidInput, match="activation_fn: expected gelu"):
        beats(tensors, {**CFG, "activation_fn": "swish"}).encode(sound(), RATE)


def test_other_files_are_refused(torch, tmp_path):
    from sonolake.models import get

    (tmp_path / "text.pt").write_text("no checkpoint")
    with pytest.raises(InvalidInput, match="tensors saved by PyTorch"):
        get(f"beats:{tmp_path / 'text.pt'}").encode(sound(), RATE)
    torch.save({"state_dict": {}}, tmp_path / "other.pt")
    with pytest.raises(InvalidInput, match=r"the keys cfg and model, received \['state_dict'\]"):
        get(f"beats:{tmp_path / 'other.pt'}").encode(sound(), RATE)
    with pytest.raises(NotFound, match="no file or folder"):
        get(f"beats:{tmp_path / 'nothing.pt'}")


def test_a_file_that_would_run_code_is_refused_unread(torch, tmp_path):
    from sonolake.models import get

    class Harmful:
        def __reduce__(self):
            return (exec, ("raise SystemExit",))

    torch.save({"cfg": CFG, "model": Harmful()}, tmp_path / "harmful.pt")
    with pytest.raises(InvalidInput, match="checkpoint"):
        get(f"beats:{tmp_path / 'harmful.pt'}").encode(sound(), RATE)


def test_without_pytorch_the_line_that_installs_it_is_said(monkeypatch):
    from sonolake.models.beats import Beats

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=r"'torch'.*pip install 'sonolake\[encoders\]'"):
        Beats("any.pt")
