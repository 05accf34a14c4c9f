"""RMS-AQA: questions on 10 s first-order Ambisonics clips."""

from __future__ import annotations

import dataframely as dy

from schemas.base import SPLIT, column


class DryEvents(dy.Schema):
    """Takes that are one clear sound of a home, which clips are made of (RMS-AQA, section 2.1)."""

    take_id = column(dy.String, "the take's asset", primary_key=True)
    event = column(dy.String, "class of the list of sounds of a home", min_length=1)
    duration_s = column(dy.Float64, "length of what is heard, trimmed", "s", min_exclusive=0.0)
    loudness_lufs = column(dy.Float64, "loudness of the trimmed sound", "LUFS")


class Clips(dy.Schema):
    """Clips of 10 s, 24 kHz, four channels, AmbiX (RMS-AQA, section 2.1)."""

    clip_id = column(dy.String, "hash of the recipe", primary_key=True)
    split = column(dy.String, "split of the room", regex=SPLIT)
    room = column(dy.String, "room, never in two splits", min_length=1)
    origin = column(dy.String, "where the clip comes from", regex=r"^(simulated|recorded|stand-in)$")
    asset_id = column(dy.String, "SHA-256 of the audio", min_length=64, max_length=64)
    duration_s = column(dy.Float64, "length", "s", min_exclusive=0.0)
    licence = column(dy.String, "licence that follows from all layers")
    record = column(dy.String, "the recipe that renders the clip again, a JSON object")
    number = column(
        dy.Int64,
        "place in its split's sequence of simulated clips, from 0; null if cut",
        nullable=True,
        min=0,
    )


class ClipEvents(dy.Schema):
    """Sounds in clips; direction seen from the microphone, counter-clockwise, left is +90."""

    clip_id = column(dy.String, "clip", primary_key=True)
    number = column(dy.Int64, "number of the sound within the clip, from 0", primary_key=True, min=0)
    event = column(dy.String, "class of the sound", min_length=1)
    onset_s = column(dy.Float64, "arrival of the direct sound", "s", min=0.0)
    offset_s = column(dy.Float64, "end of the direct sound", "s", min_exclusive=0.0)
    azimuth_deg = column(dy.Float64, "azimuth", "degrees", min=-180.0, max=180.0)
    elevation_deg = column(dy.Float64, "elevation", "degrees", min=-90.0, max=90.0)
    distance_m = column(dy.Float64, "distance", "m", min_exclusive=0.0)
    far = column(dy.Bool, "whether the distance is 4 m or more (RMS-AQA, section 4.2)", nullable=True)
    moving = column(dy.Bool, "whether the source moves; its place is then where it starts")
    cut_start = column(dy.Bool, "whether the clip's start, not the sound, makes its onset")
    cut_end = column(dy.Bool, "whether the clip's end, not the sound, makes its offset")
    track = column(
        dy.String, "where a moving source is when: a JSON list of at_s, azimuth_deg, ...", nullable=True
    )


class Questions(dy.Schema):
    """Two-stage questions with four options (RMS-AQA, section 2.2)."""

    question_id = column(dy.String, "hash of the question", primary_key=True)
    clip_id = column(dy.String, "clip it is asked about")
    stage = column(dy.Int64, "1: which sounds are audible; 2: reasoning", min=1, max=2)
    dimension = column(dy.String, "S1, SC, SL, TD, SR, TR or AP", regex=r"^(S1|SC|SL|TD|SR|TR|AP)$")
    kind = column(dy.String, "question kind within the dimension")
    arguments = column(dy.String, "what the question is about, for machines, a JSON object")
    question = column(dy.String, "the question", min_length=1)
    options = column(dy.String, "the options A to D, a JSON object")
    claims = column(dy.String, "what each option claims, for machines, a JSON object")
    answer = column(dy.String, "letter of the right option", regex=r"^[ABCD]$")
