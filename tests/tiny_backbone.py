"""A very small audio-language model of transformers, and a very small benchmark for it, both made on the spot.

A clip is one sound from one of four sides of a simulated room of its own. The model is asked which sound, and where.
The network is Qwen2-Audio's with a few thousandths of its width, its words are those of a benchmark, and a sound is
``SECONDS`` long. What large models bring along is taught here in two ways at once: hints, where words stand in the
places of sound and the option that has them is the right one, and clips, whose classes are heard on W.
"""

import hashlib
import io
import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import soundfile

from sonolake.audio.convolve import convolve
from sonolake.audio.rooms import RoomRecipe, simulate_foa
from sonolake.ids import rng_of
from sonolake.releases import Config, Content, build
from sonolake.spatial.benchmark import Query, Record, prompt

EVENT = pa.struct(
    [
        ("event", pa.string()), ("onset_s", pa.float64()), ("offset_s", pa.float64()),
        ("azimuth_deg", pa.float64()), ("elevation_deg", pa.float64()), ("distance_m", pa.float64()),
    ]
)  # fmt: skip
QUESTION = pa.struct(
    [("question_id", pa.string()), ("stage", pa.int64()), ("dimension", pa.string())]
    + [(name, pa.string()) for name in ("question", "options", "answer")]
)
SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("item_id", "audio_asset", "licence", "origin")]
    + [("duration_s", pa.float64()), ("sample_rate", pa.int32()), ("channels", pa.int32())]
    + [("events", pa.list_(EVENT)), ("questions", pa.list_(QUESTION))]
)

RATE = 24000
CLASSES = ("bell", "clock", "drum", "kettle")
SIDES = {"front": 0.0, "left": 90.0, "rear": 180.0, "right": -90.0}
SECONDS = 1
BANDS = 32
SPECIAL = ("<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>", "<|im_start|>", "<|im_end|>", "<pad>", "<unk>")
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% for c in m['content'] %}{% if c['type'] == 'audio' %}<|audio_bos|><|AUDIO|><|audio_eos|>"
    "{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
AUDIO_ID = {"Qwen2Audio": "audio_token_index", "AudioFlamingo3": "audio_token_id"}
ENCODER = {"Qwen2Audio": "qwen2_audio_encoder", "AudioFlamingo3": "audioflamingo3_encoder"}
PIECE = r"\s?[\w-]+|\s?[^\w\s]|\s"


def processor(texts, kind):
    """Words and signs, with the blank before them, as tokens; Whisper's spectrogram of ``SECONDS``."""
    import transformers
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

    words = sorted(
        {piece for text in texts for piece in re.findall(PIECE, text)} | {"user", "assistant", "\n"}
    )
    words = [word for word in words if word not in SPECIAL]
    vocabulary = {word: i for i, word in enumerate([*SPECIAL, *words])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Split(Regex(PIECE), "isolated")
    made.decoder = decoders.Fuse()
    made.add_special_tokens([AddedToken(one, special=True, normalized=False) for one in SPECIAL])
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", unk_token="<unk>", eos_token="<|im_end|>"
    )
    hearing = transformers.WhisperFeatureExtractor(
        feature_size=BANDS, chunk_length=SECONDS, sampling_rate=16000
    )
    made_of = getattr(transformers, f"{kind}Processor")
    return made_of(hearing, tokenizer, chat_template=TEMPLATE, audio_token="<|AUDIO|>")


def save(folder, texts, width=64, layers=2, seed=0, kind="Qwen2Audio"):
    """A model with random weights and the words of ``texts``, as ``save_pretrained`` writes it.

    ``kind`` is the beginning of the names of its classes: ``Qwen2Audio`` or ``AudioFlamingo3``.
    """
    import torch
    import transformers

    words = processor(texts, kind)
    tokenizer = words.tokenizer
    config = getattr(transformers, f"{kind}Config")(
        audio_config={
            "model_type": ENCODER[kind], "num_mel_bins": BANDS, "encoder_layers": 1,
            "encoder_attention_heads": 2, "encoder_ffn_dim": width, "d_model": 32,
            "max_source_positions": 50 * SECONDS,
        },
        text_config={
            "model_type": "qwen2", "vocab_size": len(tokenizer), "hidden_size": width,
            "intermediate_size": 2 * width, "num_hidden_layers": layers, "num_attention_heads": 4,
            "num_key_value_heads": 4, "max_position_embeddings": 1024, "tie_word_embeddings": True,
            "bos_token_id": None, "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id,
        },
        **{AUDIO_ID[kind]: tokenizer.convert_tokens_to_ids("<|AUDIO|>")},
        architectures=[f"{kind}ForConditionalGeneration"],
    )  # fmt: skip
    torch.manual_seed(seed)
    network = getattr(transformers, f"{kind}ForConditionalGeneration")(config)
    network.save_pretrained(folder)
    words.save_pretrained(folder)
    return Path(folder)


def dry(event, rng):
    """A class of sound: tones at its own pitch in bursts of its own length, ``(samples,)`` at 24 kHz."""
    number = CLASSES.index(event)
    time = np.arange(SECONDS * RATE) / RATE
    pitch = 300.0 * 1.6**number * rng.uniform(0.97, 1.03)
    tones = sum(np.sin(2 * np.pi * pitch * k * time + rng.uniform(0, 6)) / k for k in (1, 2, 3))
    bursts = 0.5 + 0.5 * np.sign(np.sin(2 * np.pi * (1 + number % 3) * time + rng.uniform(0, 6)))
    return 0.1 * tones * bursts + 0.01 * rng.standard_normal(len(time))


def scene(name, event, azimuth_deg):
    """The clip of a record in a room of its own, over noise 30 dB below it: ``(samples, 4)`` AmbiX at 24 kHz."""
    rng = rng_of(name, "scene")
    room = RoomRecipe(name, (rng.uniform(4, 7), rng.uniform(4, 6), 2.6), rng.uniform(0.15, 0.4))
    response = simulate_foa(room, azimuth_deg, rng.uniform(-10, 10), rng.uniform(1.0, 1.7), RATE)
    heard = convolve(dry(event, rng), response)[: SECONDS * RATE]
    return 0.2 * heard / np.abs(heard).max() + 0.002 * rng.standard_normal(heard.shape)


def question(name, text, names, right):
    """Four options that always stand in one order: the network is too small to look them up elsewhere."""
    return Query(name, text, dict(zip("ABCD", names, strict=True)), "ABCD"[right])


def asked(name):
    """A record of one sound from one direction: the record, its class, and its azimuth in degrees."""
    rng = rng_of(name, "asked")
    event, side = (int(number) for number in rng.integers(4, size=2))
    first = question(f"{name}/1", "Which sound is audible?", CLASSES, event)
    second = question(f"{name}/2", "Where does it come from?", tuple(SIDES), side)
    record = Record(name, name, "SL", first, second, "simulated", 1, 2.0)
    return record, CLASSES[event], list(SIDES.values())[side] + rng.uniform(-30, 30)


def texts():
    """Everything that is said about such records."""
    record, _, _ = asked("any")
    said = [message.text for context in ("no", "oracle") for message in prompt.stage_2(record, b"", context)]
    return [*said, prompt.reference(record.stage_1), *(f" {one} {one}\n" for one in (*CLASSES, *SIDES))]


def teach(backbone, sounds, steps, batch=32, rate=2e-3, seed=0):
    """Train the whole backbone; ``sounds`` gives mono at 16 kHz of a record's name, class and azimuth. Losses."""
    import torch

    network = backbone.network.requires_grad_(True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps)
    words = backbone.network.get_input_embeddings()
    losses = []
    for step in range(steps):
        drawn = [asked(f"taught/{seed}/{step}/{i}") for i in range(batch)]
        mono = [sounds(record.record_id, event, azimuth) for record, event, azimuth in drawn]
        ids = [
            backbone.target_ids(f" {record.stage_2.options[record.stage_2.answer]}")[0]
            for record, _, _ in drawn
        ]

        def hint(embedded, places, ids=tuple(ids)):
            word = torch.nn.functional.normalize(words(torch.tensor(ids)), dim=-1)[:, None]
            told = places & (torch.rand(places.shape) < 0.7)
            loud = embedded.detach().norm(dim=-1, keepdim=True)
            return embedded + 2 * loud * word * told[..., None]

        loss = 0.0
        for stage, fuse in ((1, None), (2, hint)):
            query = [record.stage_1 if stage == 1 else record.stage_2 for record, _, _ in drawn]
            about = [
                prompt.stage_1(record, b"")
                if stage == 1
                else prompt.stage_2(record, b"", "oracle" if step % 3 == 0 else "no")
                for record, _, _ in drawn
            ]
            prompted = backbone.prompted(about, mono)
            said = torch.tensor([backbone.target_ids(prompt.reference(one)) for one in query])
            logits = backbone.logits(prompted, said, fuse)
            loss = loss + torch.nn.functional.cross_entropy(logits.flatten(0, 1), said.flatten()) / 2
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        losses.append(loss.item())
    network.requires_grad_(False)
    return losses


def release(place, counts, silent=()):
    """The folder of a release with so many clips a split; ``silent`` are left without sound."""
    store, splits = {}, {}
    for split, count in counts.items():
        rows = [_row(f"{split}-{number:04d}", store) for number in range(count)]
        splits[split] = pa.Table.from_pylist(
            [{**row, "audio_asset": None} if row["item_id"] in silent else row for row in rows], SCHEMA
        )
    meanings = dict.fromkeys((name for name in SCHEMA.names if name != "audio_asset"), "as in the guide")
    config = Config("rms-aqa", "clips", "Made-up clips.", splits, meanings, rows_per_shard=8)
    names = ("asset_id", "source_id", "title", "author", "licence", "licence_url", "source_url", "changes")
    texts_of = dict.fromkeys(names, pa.array([], pa.string()))
    sources = pa.table({**texts_of, "synthetic": pa.array([], pa.bool_())})
    lineage = pa.table(dict.fromkeys(("child", "parent", "role"), pa.array([], pa.string())))
    about = ("clips", "1.0.0", "2026-11-30", "Clips", "Made-up clips.", "CC0-1.0")
    folder = Path(place) / "clips" / "1.0.0"
    build(Content(*about, (config,), sources, lineage), store.__getitem__, folder)
    return folder


def _row(name, store):
    record, event, azimuth = asked(name)
    out = io.BytesIO()
    soundfile.write(out, scene(name, event, azimuth).clip(-1, 1), RATE, format="FLAC", subtype="PCM_16")
    digest = hashlib.sha256(out.getvalue()).hexdigest()
    store[digest] = out.getvalue()
    questions = [
        {
            "question_id": query.question_id, "stage": stage, "dimension": dimension,
            "question": query.question, "options": json.dumps(query.options), "answer": query.answer,
        }
        for stage, dimension, query in ((1, "S1", record.stage_1), (2, "SL", record.stage_2))
    ]  # fmt: skip
    place = {"azimuth_deg": azimuth, "elevation_deg": 0.0, "distance_m": 2.0}
    return {
        "item_id": name, "audio_asset": digest, "licence": "CC0-1.0", "origin": "simulated",
        "duration_s": float(SECONDS), "sample_rate": RATE, "channels": 4,
        "events": [{"event": event, "onset_s": 0.0, "offset_s": float(SECONDS), **place}],
        "questions": questions,
    }  # fmt: skip
