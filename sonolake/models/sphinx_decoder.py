"""PocketSphinx's decoder in a process of its own, as it keeps the interpreter's lock for all of an utterance.

Run as a program (it needs nothing of the library), it answers one request after the other until its standard input
ends, as that does when whoever started it is gone, however it went. A message is its length, 4 bytes little-endian,
and as many bytes. A request is two of them: JSON with the folder of the acoustic model (``model``) and, for each word,
its pronunciations (``said``); then 16-bit little-endian samples at 16 kHz. The answer is one, a JSON list of
``[name, first frame, last frame, score]``: the decoder's path, in which the n-th word bears the name ``w{n}``.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Sequence
from typing import IO

Segment = tuple[str, int, int, float]
"""Name, first frame, last frame, and acoustic score of a part of the path."""


def path(model: str, said: Sequence[Sequence[str]], pcm16: bytes) -> list[Segment]:
    """The Viterbi path through all words in their order, with the silence and noise between and around them.

    All states of the model are scored in every frame, so that scores are against the best of all of them. A new decoder
    knows these words only: nothing is carried from one signal to the next. The Viterbi path ends with the last word;
    the second pass over the word lattice, on by default, may end on a better one that leaves last words out.
    """
    import pocketsphinx

    decoder = pocketsphinx.Decoder(
        hmm=model, lm=None, dict=None, bestpath=False, compallsen=True, loglevel="FATAL"
    )
    for i, ways in enumerate(said):
        for n, phones in enumerate(ways, start=1):
            decoder.add_word(f"w{i}" if n == 1 else f"w{i}({n})", phones, False)
    decoder.set_align_text(" ".join(f"w{i}" for i in range(len(said))))
    decoder.start_utt()
    decoder.process_raw(pcm16, full_utt=True)
    decoder.end_utt()
    segments = decoder.seg() or () if decoder.hyp() is not None else ()
    return [(one.word.partition("(")[0], one.start_frame, one.end_frame, one.ascore) for one in segments]


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message, and let it go."""
    stream.write(len(message).to_bytes(4, "little") + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Read one message.

    Raises:
        EOFError: the stream ends before it does.
    """
    size = stream.read(4)
    message = stream.read(int.from_bytes(size, "little"))
    if len(size) < 4 or len(message) < int.from_bytes(size, "little"):
        raise EOFError
    return message


def main() -> None:
    """Answer until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            request, pcm16 = json.loads(receive(asked)), receive(asked)
        except EOFError:
            return
        send(answers, json.dumps(path(request["model"], request["said"], pcm16)).encode())


if __name__ == "__main__":
    main()
