"""WESR: speech mined for word-level vocal events."""

from __future__ import annotations

import dataframely as dy
import polars as pl

from schemas.base import column


class Utterances(dy.Schema):
    """Stretches of speech recordings, 2 to 30 s long (WESR, section 4.1)."""

    utterance_id = column(dy.String, "hash of recording, start and end", primary_key=True)
    asset_id = column(dy.String, "recording it is cut from", min_length=64, max_length=64)
    audio = column(dy.String, "SHA-256 of the cut, FLAC, in media", min_length=64, max_length=64)
    start_s = column(dy.Float64, "start within the recording", "s", min=0.0)
    end_s = column(dy.Float64, "end within the recording", "s", min_exclusive=0.0)
    language = column(dy.String, "language, BCP-47", nullable=True)
    transcript = column(dy.String, "what is said, where the source or a recogniser says it", nullable=True)
    transcript_by = column(dy.String, "source, or the recogniser's name", nullable=True)
    words = column(
        dy.String, "the recogniser's words with start_s, end_s and confidence, a JSON list", nullable=True
    )
    quality = column(
        dy.Float64, "rating of the whole by DNSMOS P.835, 1 to 5; null where nobody rated it", "1", nullable=True,
        min=0.0, max=5.5,
    )  # fmt: skip

    @dy.rule()
    def ends_after_it_begins(cls) -> pl.Expr:
        """An utterance ends after it begins."""
        return pl.col("end_s") > pl.col("start_s")


class Queries(dy.Schema):
    """What was searched for (WESR, section 4.1: three text and three audio queries a label)."""

    query_id = column(dy.String, "label, set, modality and number: laughs/benchmark/text/1", primary_key=True)
    tag = column(dy.String, "vocal event", min_length=1)
    modality = column(dy.String, "text or audio", regex=r"^(text|audio)$")
    query = column(dy.String, "text of the query, or what the audio query is", min_length=1)


class Candidates(dy.Schema):
    """Utterances that a query found, and why."""

    utterance_id = column(dy.String, "utterance", primary_key=True)
    tag = column(dy.String, "vocal event looked for", primary_key=True)
    query = column(dy.String, "query that ranked it best", min_length=1)
    rank = column(dy.Int64, "rank after fusion within the tag, from 1", min=1)
    distance = column(dy.Float64, "distance to the query that ranked it best: 1 - similarity")
    onset_s = column(dy.Float64, "start of the window found, within the utterance", "s", min=0.0)
    offset_s = column(dy.Float64, "end of the window found", "s", min=0.0, nullable=True)
    query_rank = column(dy.Int64, "rank in that query's own list, from 1", min=1, nullable=True)


class Annotations(dy.Schema):
    """Transcripts with vocal events, as people, models or corpora wrote them."""

    utterance_id = column(dy.String, "utterance", primary_key=True)
    source = column(dy.String, "who wrote it: person:NAME, model:NAME or corpus:NAME", primary_key=True)
    text = column(dy.String, "tagged transcript in the tags of the taxonomy")


class CorpusTags(dy.Schema):
    """What became of the tags of corpora that were taken in."""

    corpus = column(dy.String, "corpus", primary_key=True)
    tag = column(dy.String, "tag as the corpus has it, folded", primary_key=True)
    becomes = column(
        dy.String, "tag or word that it becomes; -drop, -strip; empty when it is unknown", primary_key=True
    )
    times = column(dy.Int64, "how often it stands in the texts", min=1)
    utterances = column(dy.Int64, "texts that it stands in", min=1)


class Gold(dy.Schema):
    """Adjudicated transcripts: the benchmark (WESR, section 4.2)."""

    utterance_id = column(dy.String, "utterance", primary_key=True)
    text = column(dy.String, "tagged transcript in the tags of the taxonomy")
    decided_by = column(dy.String, "who adjudicated it", min_length=1)


class UtterancePrints(dy.Schema):
    """What tells whether two utterances are one recording."""

    utterance_id = column(dy.String, "utterance", primary_key=True)
    pcm_hash = column(dy.String, "hash of the decoded samples")
    fingerprint = column(dy.String, "fingerprint of the sound; empty when there is nothing to hear")


class Sets(dy.Schema):
    """Training and benchmark sets, and what was left out of training because the benchmark has it."""

    utterance_id = column(dy.String, "utterance", primary_key=True)
    part = column(dy.String, "benchmark, training or left_out", regex=r"^(benchmark|training|left_out)$")
    source = column(dy.String, "who wrote the text, as in annotations; gold for the benchmark", min_length=1)
    text = column(dy.String, "tagged transcript")


class SetOverlaps(dy.Schema):
    """Why an utterance was left out of training: how it is in the benchmark."""

    utterance_id = column(dy.String, "utterance that was left out", primary_key=True)
    how = column(
        dy.String, "source, speaker, samples, sound or transcript", primary_key=True,
        regex=r"^(source|speaker|samples|sound|transcript)$",
    )  # fmt: skip
    of = column(dy.String, "utterance of the benchmark", min_length=1)
    distance = column(dy.Float64, "0 where equal, else 1 - similarity of the fingerprints", min=0.0, max=1.0)
