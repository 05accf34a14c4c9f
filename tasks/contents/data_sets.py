"""The three data sets as configs."""

from __future__ import annotations

from sonolake.datasets.tables import config_of
from sonolake.lake import Lake
from sonolake.releases import Config
from sonolake.spatial.records import FAR_M

_WORDS = '[{"text": "VARCHAR", "start_s": "DOUBLE", "end_s": "DOUBLE", "confidence": "DOUBLE"}]'
_TAGS = (
    '[{"tag": "VARCHAR", "becomes": "VARCHAR", "take_id": "VARCHAR", "start_s": "DOUBLE", "end_s": "DOUBLE"}]'
)
"""What the JSON columns of the table ``turns`` hold."""
_CARES = f"""
WITH events AS (
    SELECT scene_id, list(struct_pack(
        event, reaction, register, layer, band, onset_s, offset_s, distance_m, asked_onset_s, measured_onset_s,
        asked_offset_s, measured_offset_s, asked_level_lufs, measured_level_lufs, asked_snr_db, measured_snr_db,
        asked_clear_s, measured_clear_s, asked_lead_s, measured_lead_s, duck_db, asked_duck_db, measured_duck_db,
        voice_s, take, violates) ORDER BY onset_s, event) AS events
    FROM scene_events GROUP BY scene_id),
spoken AS (
    SELECT scene_id, list(struct_pack(
        speaker, text, start_s, end_s, asked_gap_s, measured_gap_s, confidence, words := from_json(words, '{_WORDS}'),
        tags := from_json(tags, '{_TAGS}'))
        ORDER BY turn) AS turns
    FROM turns GROUP BY scene_id)
SELECT s.scene_id AS item_id, s.split, s.asset_id AS audio_asset, s.licence, s.duration_s,
    a.sample_rate::INTEGER AS sample_rate, a.channels::INTEGER AS channels,
    s.scenario_id, s.template_id, t.title, t.category,
    c.record::JSON ->> 'topic' AS topic, s.location, c.relation, c.genders, c.composition,
    s.loudness_lufs, s.peak_dbfs, s.true_peak_dbtp, coalesce(e.events, []) AS events, w.turns, s.record
FROM scenes s JOIN assets a USING (asset_id) JOIN scenarios c USING (scenario_id)
JOIN templates t ON t.template_id = s.template_id
LEFT JOIN events e USING (scene_id) JOIN spoken w USING (scene_id)
ORDER BY item_id
"""

_CARES_MUTED = """
SELECT a.item AS item_id, s.split, a.asset_id AS audio_asset, a.licence, a.duration_s,
    a.sample_rate::INTEGER AS sample_rate, a.channels::INTEGER AS channels, e.scene_id, e.event
FROM scene_events e JOIN scenes s USING (scene_id) JOIN assets a ON a.asset_id = e.muted
ORDER BY item_id
"""

_SPATIAL = f"""
WITH events AS (
    SELECT clip_id, list(struct_pack(
        event, onset_s, offset_s, azimuth_deg, elevation_deg, distance_m,
        far := coalesce(far, distance_m >= {FAR_M}), moving, track)
        ORDER BY number) AS events
    FROM clip_events GROUP BY clip_id),
asked AS (
    SELECT clip_id, list(struct_pack(
        question_id, stage, dimension, kind, question, options, answer, arguments, claims) ORDER BY stage) AS questions
    FROM questions GROUP BY clip_id)
SELECT c.clip_id AS item_id, c.split, c.asset_id AS audio_asset, c.licence, c.duration_s,
    a.sample_rate::INTEGER AS sample_rate, a.channels::INTEGER AS channels,
    c.room, c.origin, a.loudness_lufs, a.peak_dbfs, e.events, q.questions, c.record
FROM clips c JOIN assets a USING (asset_id) JOIN events e USING (clip_id) JOIN asked q USING (clip_id)
ORDER BY item_id
"""

_BENCH = """
bench AS (
    SELECT DISTINCT p.group_id FROM sets b JOIN utterances USING (utterance_id) JOIN assets a USING (asset_id)
    JOIN splits p ON p.kind = 'source' AND p.item = a.source_id WHERE b.part = 'benchmark')
"""
"""Groups of sources that the benchmark is of: whatever their split, they are for testing."""
_SPLIT = "CASE WHEN p.group_id IN (FROM bench) THEN 'test' ELSE p.split END AS split"

_WESR = f"""
WITH {_BENCH}, found AS (
    SELECT utterance_id, list(struct_pack(tag, rank, query, distance, onset_s) ORDER BY rank, tag) AS candidates
    FROM candidates GROUP BY utterance_id)
SELECT u.utterance_id AS item_id, {_SPLIT}, u.audio AS audio_asset, a.licence, u.end_s - u.start_s AS duration_s,
    a.sample_rate::INTEGER AS sample_rate, 1::INTEGER AS channels,
    u.asset_id AS recording, u.start_s, u.end_s, a.speaker, u.language, u.transcript,
    CASE WHEN u.transcript IS NOT NULL THEN a.tags::JSON ->> 'tagged' END AS tagged_text, f.candidates
FROM utterances u JOIN assets a USING (asset_id) JOIN found f USING (utterance_id)
JOIN splits p ON p.kind = 'source' AND p.item = a.source_id
ORDER BY item_id
"""


_WESR_SET = f"""
WITH {_BENCH}
SELECT u.utterance_id AS item_id, {_SPLIT}, u.audio AS audio_asset, a.licence, u.end_s - u.start_s AS duration_s,
    a.sample_rate::INTEGER AS sample_rate, 1::INTEGER AS channels,
    u.asset_id AS recording, a.source_id, u.start_s, u.end_s, a.speaker, u.language,
    t.source AS written_by, t.text AS tagged_text
FROM sets t JOIN utterances u USING (utterance_id) JOIN assets a USING (asset_id)
JOIN splits p ON p.kind = 'source' AND p.item = a.source_id
WHERE t.part = '$part'
ORDER BY item_id
"""


_WESR_BENCH = _WESR_SET.replace("$part", "benchmark")
_WESR_TRAIN = _WESR_SET.replace("$part", "training")

QUERIES = {
    "cares": _CARES,
    "cares-muted": _CARES_MUTED,
    "rms-aqa": _SPATIAL,
    "wesr": _WESR,
    "wesr-bench": _WESR_BENCH,
    "wesr-train": _WESR_TRAIN,
}
"""What each config is read by."""


def cares(lake: Lake, snapshot: int) -> Config | None:
    """Scenes of two speakers with the reaction that each sound draws."""
    return config_of(
        lake,
        snapshot,
        _CARES,
        name="cares",
        title="CARES scenes",
        description="People talk somewhere, in pairs; sounds occur, and the reaction that each draws was fixed before "
        "a word was written. Mono, `44.1 kHz` ([sound-cares](proofs/sound-cares.sql)), `16 bits`.",
        meanings={
            "scenario_id": "who speaks where about what, and which sounds occur",
            "template_id": "situation; all scenes of a situation are in one split",
            "title": "title of the situation",
            "category": "category of the situation",
            "topic": "what they were to talk about, in a sentence",
            "location": "place",
            "relation": "roles of the speakers",
            "genders": "genders of speakers A and B",
            "composition": "number of pivot, verbal, behavioral and ambient sounds",
            "loudness_lufs": "integrated loudness in LUFS, ITU-R BS.1770-4",
            "peak_dbfs": "highest sample magnitude in dBFS",
            "true_peak_dbtp": "true peak in dBTP",
            "events": "sounds by onset: identifier, reaction, register, times in seconds, what was asked and measured",
            "turns": "what is said by whom, from when to when (s), the gap before it as asked and as measured on the "
            "dry voice (s), its words, how sure the aligner is of each (0 to 1), and what tags such as [softly], "
            "which nobody speaks, became in the audio",
            "record": "the recipe that renders the scene again, a JSON object",
        },
        tasks=("audio-classification",),
    )


def cares_muted(lake: Lake, snapshot: int) -> Config | None:
    """Test scenes without one of their sounds, for the muted control of the benchmark."""
    return config_of(
        lake,
        snapshot,
        _CARES_MUTED,
        name="cares-muted",
        title="CARES scenes without a sound",
        description="Each test scene once more without each of its sounds, at the same level and otherwise the same "
        "samples: the muted control of the benchmark.",
        meanings={
            "scene_id": "scene of the config cares",
            "event": "the sound that is not there",
        },
        tasks=("audio-classification",),
    )


def spatial(lake: Lake, snapshot: int) -> Config | None:
    """First-order Ambisonics clips with two-stage questions."""
    return config_of(
        lake,
        snapshot,
        _SPATIAL,
        name="rms-aqa",
        title="RMS-AQA clips",
        description="Clips of `10 s` in first-order Ambisonics (AmbiX, `24 kHz`; "
        "[sound-rms-aqa](proofs/sound-rms-aqa.sql)) with labelled sounds and staged questions in several dimensions. "
        "Rooms are kept apart between splits.",
        meanings={
            "room": "room; all of it is in one split",
            "origin": "simulated, recorded, or stand-in (simulated in the place of a recording)",
            "loudness_lufs": "integrated loudness of W in LUFS, ITU-R BS.1770-4",
            "peak_dbfs": "highest sample magnitude of any channel in dBFS",
            "events": "sounds: class, times in seconds, azimuth (left is positive) and elevation in degrees, metres, "
            "and whether that is far: 4 m or more",
            "questions": "stage 1 (which sounds are audible) and stage 2; options as JSON, letter of the answer",
            "record": "the recipe that renders the clip again, a JSON object",
        },
        tasks=("audio-classification", "question-answering"),
    )


def wesr(lake: Lake, snapshot: int) -> Config | None:
    """Utterances mined for vocal events."""
    return config_of(
        lake,
        snapshot,
        _WESR,
        name="wesr",
        title="WESR utterances",
        description="Utterances of 2 to 30 s that were found in a search for vocal events, with the query that found "
        "them and where. Candidates are for annotation: they are not labels.",
        meanings={
            "recording": "asset id of the recording that it is cut from",
            "start_s": "start within the recording in seconds",
            "end_s": "end within the recording in seconds",
            "speaker": "speaker",
            "language": "language, BCP-47",
            "transcript": "what is said, where the source says it",
            "tagged_text": "transcript with its vocal events, where the source says them",
            "candidates": "vocal events looked for: rank within the tag, query, distance, onset in seconds",
        },
        tasks=("automatic-speech-recognition", "audio-classification"),
    )


def wesr_bench(lake: Lake, snapshot: int) -> Config | None:
    """Utterances with adjudicated vocal events."""
    about = "Utterances whose vocal events people agreed on, to score recognisers against; all of them are for testing."
    return _wesr_set(lake, snapshot, _WESR_BENCH, "wesr-bench", "WESR-Bench", about)


def wesr_train(lake: Lake, snapshot: int) -> Config | None:
    """Annotated utterances that share nothing with the benchmark."""
    about = "Utterances annotated with vocal events, without what the benchmark has by source, samples, sound or words."
    return _wesr_set(lake, snapshot, _WESR_TRAIN, "wesr-train", "WESR-Train", about)


def _wesr_set(lake: Lake, snapshot: int, query: str, name: str, title: str, about: str) -> Config | None:
    return config_of(
        lake,
        snapshot,
        query,
        name=name,
        title=title,
        description=about,
        meanings={
            "recording": "asset id of the recording that it is cut from",
            "source_id": "what was recorded together",
            "start_s": "start within the recording in seconds",
            "end_s": "end within the recording in seconds",
            "speaker": "speaker",
            "language": "language, BCP-47",
            "written_by": "who wrote the text: gold, person:NAME, corpus:NAME or model:NAME",
            "tagged_text": "transcript with its vocal events, in the tags of the taxonomy",
        },
        tasks=("automatic-speech-recognition", "audio-classification"),
    )
