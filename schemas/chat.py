"""Models behind endpoints: what they answered, and what that took."""

from __future__ import annotations

import dataframely as dy

from schemas.base import column


class ChatAnswers(dy.Schema):
    """Answers of chat models, kept by the hash of all that was sent, so that nothing is paid for twice."""

    prompt = column(dy.String, "hash of what was sent, or the name of a batch under way", primary_key=True)
    answer = column(dy.String, "the answer with its tokens, a JSON object; the batch's id for a batch")


class ChatUse(dy.Schema):
    """What chat models took, a row a run and model."""

    run_id = column(dy.String, "run", primary_key=True)
    model = column(dy.String, "the model's spec", primary_key=True)
    requests = column(dy.Int64, "requests answered by the provider", min=0)
    cached = column(dy.Int64, "requests answered from what was kept", min=0)
    input_tokens = column(dy.Int64, "tokens sent, as the provider counts them", min=0)
    output_tokens = column(dy.Int64, "tokens received", min=0)
    cost = column(dy.Float64, "money, by the price that the run was given", "currency", min=0.0)


class SpeechAnswers(dy.Schema):
    """Speech of voices behind endpoints, kept by the hash of all that was sent, so that nothing is paid for twice."""

    request = column(dy.String, "hash of what was sent", primary_key=True, min_length=64, max_length=64)
    voice = column(dy.String, "the voice's spec", min_length=1)
    media = column(
        dy.String, "SHA-256 of the file that it answered with, in media", min_length=64, max_length=64
    )
