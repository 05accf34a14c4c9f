"""CLAP: folders of transformers' ``ClapModel``, and checkpoints of ``laion_clap``, both tiny and made here.

That the key map and the ear are laion_clap's own was seen once, apart from this repository: ``laion_clap`` 1.1.7's
HTSAT ("tiny") with random weights and random statistics of its batch norm, and RoBERTa with two layers, gave the same
vectors as this adapter, to 6e-8 for two seconds of a sweep and to 3e-8 for a sentence; the fused one to 5e-8 for three
seconds.
"""

import json
import re

import numpy as np
import pytest
import soundfile

from sonolake.errors import InvalidInput, NotFound
from sonolake.models import get
from sonolake.models.windows import windows_of

RATE = 48000
WORDS = ["<s>", "<pad>", "</s>", "<unk>", "a", "b", "Ġ", "d", "o", "g", "Ġd", "Ġdo", "Ġdog"]

torch = pytest.importorskip("torch", reason="CLAP runs on PyTorch, which is optional")
transformers = pytest.importorskip(
    "transformers", reason="CLAP's network is that of transformers, which is optional"
)


def sound(seconds, pitch=400):
    t = np.arange(round(seconds * RATE)) / RATE
    return 0.3 * np.sin(2 * np.pi * pitch * t) + 0.02 * np.random.RandomState(pitch).standard_normal(len(t))


def tiny(width=12, **fusion):
    """The smallest network that has every part: two stages of two blocks."""
    text = {"vocab_size": 20, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1}
    text |= {"intermediate_size": 32, "max_position_embeddings": 82, "layer_norm_eps": 1e-5}
    audio = {"patch_embeds_hidden_size": 8, "hidden_size": 16, "depths": [2, 2], "num_hidden_layers": 2}
    audio |= {"num_attention_heads": [1, 2], "projection_dim": width, **fusion}
    config = transformers.ClapConfig(
        projection_dim=width, text_config={**text, "projection_dim": width}, audio_config=audio
    )
    torch.manual_seed(1)
    made = transformers.ClapModel(config).eval()
    statistics = made.audio_model.audio_encoder.batch_norm
    statistics.running_mean.normal_(-30, 5)
    statistics.running_var.uniform_(50, 300)
    return made


@pytest.fixture(scope="module")
def model():
    return tiny()


@pytest.fixture(scope="module")
def fused():
    """One that also hears three parts of a sound, in Freesound's dimension."""
    made = tiny(512, enable_fusion=True, fusion_type="aff_2d", aff_block_r=2)
    for name, one in made.audio_model.audio_encoder.patch_embed.fusion_model.named_modules():
        if isinstance(one, torch.nn.BatchNorm2d):
            torch.manual_seed(len(name))
            one.running_mean.normal_(0, 1)
            one.running_var.uniform_(0.5, 2)
    return made


def write_tokenizer(folder):
    (folder / "vocab.json").write_text(json.dumps({word: n for n, word in enumerate(WORDS)}))
    (folder / "merges.txt").write_text("#version: 0.2\nĠ d\nĠd o\nĠdo g\n")
    tokenizer = {"tokenizer_class": "RobertaTokenizer", "model_max_length": 77}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    (folder / "config.json").exists() or (folder / "config.json").write_text('{"model_type": "roberta"}')


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    place = tmp_path_factory.mktemp("hub") / "clap-tiny"
    model.save_pretrained(place)
    ear = transformers.ClapFeatureExtractor(frequency_min=50)
    ear.save_pretrained(place)
    write_tokenizer(place)
    return place


ORIGINAL = (
    (r"^audio_model\.audio_encoder\.batch_norm\.", "audio_branch.bn0."),
    (r"^audio_model\.audio_encoder\.", "audio_branch."),
    (r"^text_model\.", "text_branch."),
    (r"_projection\.linear1\.", "_projection.0."),
    (r"_projection\.linear2\.", "_projection.2."),
    (r"^(audio_branch.*)layernorm_before", r"\1norm1"),
    (r"^(audio_branch.*)layernorm_after", r"\1norm2"),
    (r"^(audio_branch.*)attention\.output\.dense", r"\1attn.proj"),
    (r"^(audio_branch.*)attention\.self", r"\1attn"),
    (r"^(audio_branch.*)intermediate\.dense", r"\1mlp.fc1"),
    (r"^(audio_branch.*blocks\.\d+)\.output\.dense", r"\1.mlp.fc2"),
)
"""From ``ClapModel``'s names to those of laion_clap's own modules (HTSAT's Swin blocks, RoBERTa, two projections)."""


def original(model):
    """A model's tensors as laion_clap saves them, with what only its training needs."""
    named = {}
    for name, tensor in model.state_dict().items():
        for pattern, old in ORIGINAL:
            name = re.sub(pattern, old, name)
        if found := re.match(r"(audio_branch.*attn)\.(query|key|value)\.(weight|bias)", name):
            named.setdefault(f"{found[1]}.qkv.{found[3]}", []).append(tensor)
        else:
            named[name] = tensor
    joined = {n: torch.cat(t) if isinstance(t, list) else t for n, t in named.items()}
    left_out = {
        "audio_branch.spectrogram_extractor.stft.conv_real.weight": torch.zeros(3, 1, 4),
        "audio_branch.logmel_extractor.melW": torch.zeros(513, 64),
        "audio_branch.layers.0.blocks.1.attn_mask": torch.zeros(64, 64, 64),
        "audio_branch.tscam_conv.weight": torch.zeros(5, 16, 2, 3),
        "audio_branch.head.bias": torch.zeros(5),
        "audio_transform.sequential.0.weight": torch.zeros(4, 4),
        "text_transform.sequential.3.bias": torch.zeros(4),
    }
    return joined | left_out


def saved(model, path):
    """A checkpoint as laion_clap writes one."""
    named = {f"module.{name}": tensor for name, tensor in original(model).items()}
    torch.save({"epoch": 3, "name": "tiny", "state_dict": named, "scaler": np.float64(2.5)}, path)
    return path


@pytest.fixture(scope="module")
def checkpoint(model, tmp_path_factory):
    return saved(model, tmp_path_factory.mktemp("laion") / "630k-tiny.pt")


@pytest.fixture(scope="module")
def fused_checkpoint(fused, tmp_path_factory):
    return saved(fused, tmp_path_factory.mktemp("laion") / "630k-audioset-fusion-best.pt")


def test_a_folder_of_the_hub_is_read(folder):
    clap = get(f"clap:{folder}")
    vectors = clap.encode(sound(4.5), RATE)
    assert (vectors.shape, clap.dim) == ((4, 12), 12), (
        "windows of two seconds every second, the last one shorter"
    )
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert clap.about == "CLAP, HTSAT 8 [2, 2], 12-d"


def test_a_window_is_what_transformers_says_of_two_seconds_repeated(folder, model):
    heard = sound(2.0)
    ear = transformers.ClapFeatureExtractor(truncation="rand_trunc", padding="repeatpad", frequency_min=50)
    given = ear(np.tile(heard, 5), sampling_rate=RATE, return_tensors="pt")["input_features"]
    assert given.shape == (1, 1, 1001, 64), "one channel: fusion's four would end an unfused model"
    with torch.inference_mode():
        expected = model.get_audio_features(input_features=given).pooler_output[0].numpy()
    vector = get(f"clap:{folder}").encode(heard, RATE)[0]
    assert vector == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)


def test_a_checkpoint_of_laion_clap_gives_the_vectors_of_the_model_it_is(checkpoint, folder):
    write_tokenizer(checkpoint.parent)
    theirs, ours = get(f"clap:{folder}"), get(f"clap:{checkpoint}")
    assert ours.encode(sound(3.0), RATE) == pytest.approx(theirs.encode(sound(3.0), RATE), abs=1e-6)
    assert ours.encode_text(["a dog"]) == pytest.approx(theirs.encode_text(["a dog"]), abs=1e-6)
    assert ours.weights_sha256 != theirs.weights_sha256, "each file's own hash"


def test_the_key_map_and_back_loses_nothing(model):
    from sonolake.models.clap_map import converted, shape_of, weights_in

    named = weights_in({"state_dict": original(model)})
    back, whole = converted(named), model.state_dict()
    assert {name for name in whole if not name.endswith("_ids")} == set(back)
    assert all(torch.equal(back[name], whole[name]) for name in back)
    again = transformers.ClapConfig(**shape_of(named))
    for part in ("audio_config", "text_config"):
        there, made = getattr(model.config, part), getattr(again, part)
        for field in ("hidden_size", "num_hidden_layers", "num_attention_heads", "projection_dim"):
            assert getattr(there, field) == getattr(made, field), (part, field)


def test_texts_become_unit_vectors_one_each_whatever_stands_beside_them(folder):
    clap = get(f"clap:{folder}")
    both = clap.encode_text(["a dog", "b"])
    assert both.shape == (2, 12) and np.linalg.norm(both, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(clap.encode_text(["b"])[0], both[1]) and not np.array_equal(both[0], both[1])
    with pytest.raises(InvalidInput, match="at least one word"):
        clap.encode_text(["  "])


def test_sounds_together_give_the_bytes_of_sounds_alone(folder):
    clap = get(f"clap:{folder}")
    sounds = [(sound(0.4), RATE), (sound(3.2, 900), RATE)]
    together = clap.encode_many(sounds)
    assert [len(one) for one in together] == [1, 3]
    assert all(np.array_equal(one, clap.encode(*given)) for one, given in zip(together, sounds, strict=True))


def test_what_is_no_clap_is_refused(fused_checkpoint, tmp_path):
    torch.save({"state_dict": {"visual.conv1.weight": torch.zeros(1)}}, tmp_path / "clip.pt")
    with pytest.raises(InvalidInput, match=r"HTSAT in audio_branch.*visual\.conv1"):
        get(f"clap:{tmp_path / 'clip.pt'}").encode(sound(1.0), RATE)
    other = torch.load(fused_checkpoint, weights_only=False)["state_dict"]
    other["module.audio_branch.patch_embed.fusion_model.local_att2.0.weight"] = torch.zeros(1)
    torch.save({"state_dict": other}, tmp_path / "iaff.pt")
    with pytest.raises(InvalidInput, match=r"expected the tensors of ClapModel.*local_att2"):
        get(f"clap:{tmp_path / 'iaff.pt'}").encode(sound(1.0), RATE)


def test_a_fused_model_hears_ten_seconds_and_fuses_nothing_that_is_no_longer(fused, fused_checkpoint):
    """As laion_clap does outside training; transformers' extractor calls one of the sounds longer, by chance."""
    heard = sound(3.5)
    ear = transformers.ClapFeatureExtractor(truncation="fusion", padding="repeatpad", frequency_min=50)
    given = ear(heard, sampling_rate=RATE, return_tensors="pt")["input_features"]
    assert given.shape == (1, 4, 1001, 64)
    with torch.inference_mode():
        asked = {"input_features": given, "is_longer": torch.tensor([[False]])}
        expected = fused.get_audio_features(**asked).pooler_output[0].numpy()
    clap = get(f"clap:{fused_checkpoint}")
    assert (clap.window_s, clap.hop_s, clap.dim) == (10.0, 10.0, 512)
    alone = clap.encode(heard, RATE)
    assert alone.shape == (1, 512)
    assert alone[0] == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)
    together = clap.encode_many([(sound(12.0, 900), RATE), (heard, RATE)])
    assert [len(one) for one in together] == [2, 1]
    assert together[1] == pytest.approx(alone, abs=1e-6)


def test_a_sound_of_ones_own_is_looked_for_on_freesound_by_its_model(fused_checkpoint, tmp_path):
    from sonolake.sources.freesound import Search

    soundfile.write(tmp_path / "mine.wav", sound(2.0), RATE)
    query = Search(similar_to=str(tmp_path / "mine.wav"), model=f"clap:{fused_checkpoint}").query("")
    vector = json.loads(query.params(1)["similar_to"])
    assert len(vector) == 512 and np.linalg.norm(vector) == pytest.approx(1, abs=1e-3)
    heard = get(f"clap:{fused_checkpoint}").encode(soundfile.read(tmp_path / "mine.wav")[0], RATE)[0]
    assert np.dot(vector, heard) == pytest.approx(1, abs=1e-3)


def test_a_name_that_is_not_in_the_cache_is_not_fetched(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(NotFound, match="hf download laion/clap-htsat-unfused"):
        get("clap:laion/clap-htsat-unfused")


def test_a_checkpoint_without_a_tokenizer_hears_and_says_what_it_needs_to_read(
    checkpoint, tmp_path, monkeypatch
):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "alone").mkdir()
    alone = tmp_path / "alone" / "c.pt"
    alone.write_bytes(checkpoint.read_bytes())
    clap = get(f"clap:{alone}")
    assert clap.encode(sound(1.0), RATE).shape == (1, 12)
    with pytest.raises(NotFound, match="roberta-base"):
        clap.encode_text(["a dog"])


def test_every_sample_is_in_a_window():
    x = np.arange(23)
    assert [list(w) for w in windows_of(x, 10, 5)] == [
        list(range(s, min(s + 10, 23))) for s in (0, 5, 10, 15)
    ]
    assert [len(w) for w in windows_of(x[:4], 10, 5)] == [4]
    assert [len(w) for w in windows_of(x[:10], 10, 5)] == [10]
