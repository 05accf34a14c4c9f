"""Write 200 files, 40 of them bad in different ways, and ``expected.json`` beside the folder, which says what they are.

python make_folder.py FOLDER
"""

import io
import json
import struct
import sys
from pathlib import Path

import av
import numpy as np
import soundfile

RATE = 16000
FORMS = (("WAV", "PCM_16"), ("FLAC", "PCM_16"), ("AIFF", "PCM_24"), ("WAV", "FLOAT"), ("OGG", "VORBIS"))


def sound(n):
    """A sound of its own: a few partials that come and go over noise of some colour, 0.7 to 1.5 s."""
    rng = np.random.default_rng(n)
    frames = round(RATE * rng.uniform(0.7, 1.5))
    t = np.arange(frames) / RATE
    noise = np.convolve(rng.standard_normal(frames), rng.standard_normal(round(rng.uniform(1, 40))), "same")
    x = noise / np.abs(noise).max() * rng.uniform(0.1, 1)
    for _ in range(rng.integers(2, 6)):
        pitch, rhythm = rng.uniform(100, 6000), rng.uniform(0.5, 12)
        x += (
            rng.uniform(0.2, 1)
            * np.sin(2 * np.pi * pitch * t)
            * np.sin(np.pi * rhythm * t + rng.uniform(0, 6)) ** 2
        )
    return np.round(16000 * x / np.abs(x).max()).astype(np.int16)


def packed(samples, form="WAV", coding="PCM_16", **settings):
    out = io.BytesIO()
    soundfile.write(out, samples, RATE, format=form, subtype=coding, **settings)
    return out.getvalue()


def wav_header(bits, align, size):
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, RATE, RATE * align, align, bits)
    return b"RIFF" + struct.pack("<I", 36 + size) + b"WAVE" + form + b"data" + struct.pack("<I", size)


def silent_film():
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as film:
        stream = film.add_stream("mpeg4", rate=5)
        stream.width = stream.height = 32
        for _ in range(5):
            film.mux(stream.encode(av.VideoFrame(32, 32, "yuv420p")))
        film.mux(stream.encode())
    return out.getvalue()


def damaged_flac(n):
    """Some bytes in the body of the second frame are turned over; the frames after it are whole."""
    data = bytearray(packed(sound(n), "FLAC"))
    head = data.index(b"\xff\xf8")
    second = data.index(data[head : head + 4], head + 4)
    for at in range(second + 200, second + 260, 7):
        data[at] ^= 0xFF
    return bytes(data)


def bad_files():
    """Reason, suffix and bytes of forty files, no two of them alike."""
    page = b"<!DOCTYPE html><html><body>404 %d</body></html>"
    film = silent_film()
    for n in range(4):
        whole = packed(sound(900 + n))
        yield "not_audio", "wav", page % n
        yield "not_audio", "flac", np.random.default_rng(n).integers(32, 127, 5000, np.uint8).tobytes()
        yield "empty", "ogg" if n % 2 else "wav", b"" if n < 2 else wav_header(16, 2 * n, 0)
        yield "truncated", "wav", whole[: 44 + (len(whole) - 44) * 3 // 10]
        yield "silent", "wav", packed(np.zeros(RATE + n, np.int16))
        yield "too_short", "wav", packed(np.full(1, 1000 * (n + 1), np.int16))
        yield "corrupt", "flac", damaged_flac(950 + n)
        yield "unsupported_codec", "wav", wav_header(45, 6, 600) + bytes([n + 1]) * 600
        yield "no_audio_stream", "m4a" if n % 2 else "mp4", film + b"\0\0\0\x08free" * n
        yield "not_audio", "mp3", b"track list %d\n" % n * 40


def good_files():
    """Name, what becomes of it and bytes of 160 files: 115 sounds and 45 that are one of them again."""
    originals = [sound(n) for n in range(115)]
    for n, samples in enumerate(originals):
        form, coding = FORMS[n % 5] if n >= 45 else FORMS[0]
        yield f"a/{n:03}.{form.lower()}", "done", packed(samples, form, coding)
    for n in range(15):
        yield f"b/{n:03} again.wav", "bytes", packed(originals[n])
        yield f"c/{n + 15:03} lossless.flac", "samples", packed(originals[n + 15], "FLAC")
        yield (
            f"d/{n + 30:03} lossy.mp3",
            "sound",
            packed(originals[n + 30], "MP3", "MPEG_LAYER_III", compression_level=0.1),
        )


folder = Path(sys.argv[1])
expected = {}
for name, outcome, data in good_files():
    expected[name] = outcome
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
for number, (reason, suffix, data) in enumerate(bad_files()):
    name = f"{'abcde'[number % 5]}/bad {number:02}.{suffix}"
    expected[name] = reason
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
folder.with_name("expected.json").write_text(json.dumps(expected))
