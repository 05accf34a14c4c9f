"""The lake's own tables. The data sets' tables are declared in ``schemas/``, outside the wheel."""

from __future__ import annotations

from sonolake.lake.spec import Column, TableSpec

TEXT, COUNT, REAL, FLAG, TIME = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN", "TIMESTAMP WITH TIME ZONE"

ASSETS = TableSpec(
    "assets",
    (
        Column("asset_id", TEXT, "SHA-256 of the bytes; the file is media/<first two digits>/<asset_id>"),
        Column("kind", TEXT, "take, ambience, response, foa, speech, vocal; made: scene, clip"),
        Column("item", TEXT, "path under the source, or the source id, in NFC"),
        Column(
            "source_id", TEXT, "identity at the source, such as freesound:12345; one sound may have several"
        ),
        Column("title", TEXT, "title given by the source"),
        Column("author", TEXT, "author given by the source"),
        Column("licence", TEXT, "SPDX identifier, or LicenseRef-…"),
        Column("licence_url", TEXT, "licence as the source states it"),
        Column("source_url", TEXT, "page of the sound at its source"),
        Column("container", TEXT, "container found in the bytes, such as WAV"),
        Column("codec", TEXT, "codec found in the bytes, such as PCM_16"),
        Column("sample_rate", COUNT, "sampling rate", "Hz"),
        Column("channels", COUNT, "number of channels"),
        Column("frames", COUNT, "frames that decode", "frames"),
        Column("duration_s", REAL, "frames / sample_rate", "s"),
        Column(
            "declared_frames", COUNT, "frames that the header declares; null where it declares none", "frames"
        ),
        Column("peak_dbfs", REAL, "highest sample magnitude over all channels", "dBFS"),
        Column(
            "loudness_lufs", REAL, "integrated loudness, ITU-R BS.1770-4; of W alone for Ambisonics", "LUFS"
        ),
        Column("dc", "DOUBLE[]", "mean of each channel", "full scale"),
        Column("flags", "VARCHAR[]", "what was noticed at intake, such as truncated_tail or clipped"),
        Column("convention", TEXT, "Ambisonics convention of the original: ambix, n3d, fuma"),
        Column("event", TEXT, "sound identifier, such as shared/dog_bark"),
        Column("location", TEXT, "place of an ambience or response"),
        Column("room", TEXT, "room of a response or recording"),
        Column(
            "azimuth_deg",
            REAL,
            "direction of a response, counter-clockwise from the front, left is +90",
            "degrees",
        ),
        Column("elevation_deg", REAL, "direction of a response above the horizon", "degrees"),
        Column("distance_m", REAL, "distance of a response's source", "m"),
        Column("direct_azimuth_deg", REAL, "azimuth that a response's direct sound comes from", "degrees"),
        Column(
            "direct_elevation_deg", REAL, "elevation that a response's direct sound comes from", "degrees"
        ),
        Column("rt60_s", REAL, "reverberation time of a response's W, from T20 (ISO 3382-2)", "s"),
        Column(
            "drr_db", REAL, "direct-to-reverberant ratio of a response's W, direct sound within 2.5 ms", "dB"
        ),
        Column("speaker", TEXT, "speaker of a speech recording"),
        Column("language", TEXT, "language, BCP-47"),
        Column("transcript", TEXT, "what is said, in NFC"),
        Column("tags", TEXT, "the manifest's other columns, a JSON object"),
        Column(
            "labels",
            TEXT,
            "text of the label file that the manifest names, such as a recording's DCASE table",
        ),
        Column("pcm_hash", TEXT, "hash of the decoded samples: equal for equal samples in any container"),
        Column(
            "fingerprint",
            TEXT,
            "fingerprint of the sound: near for the same sound at another rate, level or codec",
        ),
        Column("synthetic", FLAG, "true where no microphone recorded it"),
    ),
    ("asset_id",),
    "One row an accepted item",
)

QUARANTINE = TableSpec(
    "quarantine",
    (
        Column("item", TEXT, "what was refused"),
        Column("source", TEXT, "kind of thing it was taken as"),
        Column("step", TEXT, "step that refused it"),
        Column("reason", TEXT, "reason code, such as truncated"),
        Column("detail", TEXT, "one sentence for a person"),
        Column("asset_id", TEXT, "SHA-256 of the refused bytes, kept in media; null where there are none"),
        Column("attempt", TEXT, "hash of the parameters it was tried with: other parameters, another try"),
    ),
    ("step", "item", "asset_id", "attempt"),
    "What was refused, one reason each",
)

DUPLICATES = TableSpec(
    "duplicates",
    (
        Column("item", TEXT, "the newcomer"),
        Column("asset_id", TEXT, "SHA-256 of the newcomer's bytes"),
        Column("of", TEXT, "asset_id of the sound that was there before"),
        Column("how", TEXT, "bytes, samples (equal when decoded) or sound (near)"),
        Column(
            "source_id", TEXT, "the newcomer's identity at its source, which ties that source to the sound"
        ),
    ),
    ("item", "asset_id"),
    "Newcomers whose sound was there already",
)

STEP_COUNTS = TableSpec(
    "step_counts",
    (
        Column("run_id", TEXT, "run"),
        Column("step", TEXT, "step"),
        Column("batch", COUNT, "number of the batch within the run and step"),
        Column("taken", COUNT, "items taken = done + already + quarantined + duplicates", "items"),
        Column("done", COUNT, "items accepted", "items"),
        Column("already", COUNT, "items seen before, unchanged", "items"),
        Column("quarantined", COUNT, "items refused", "items"),
        Column("duplicates", COUNT, "items whose sound was there already", "items"),
        Column("made", COUNT, "things made of the items done", "rows"),
    ),
    (),
    "What each batch of each step did",
)

RUNS = TableSpec(
    "runs",
    (
        Column("run_id", TEXT, "run"),
        Column("flow", TEXT, "flow or command"),
        Column("parameters", TEXT, "its parameters, a JSON object"),
        Column("code_version", TEXT, "version of sonolake"),
        Column("started", TIME, "start"),
        Column("ended", TIME, "end; null while it runs, or when it was killed"),
        Column("outcome", TEXT, "done, failed: …; null while it runs, or when it was killed"),
    ),
    ("run_id",),
    "Every run that wrote to the lake",
)

LINEAGE = TableSpec(
    "lineage",
    (
        Column("child", TEXT, "what was made: an asset, scene, clip or release id"),
        Column(
            "parent", TEXT, "what it was made from: an asset, model, template, parameter set or code version"
        ),
        Column("role", TEXT, "part the parent plays, such as take, ambience, response, voice"),
        Column("run_id", TEXT, "run that made it"),
    ),
    ("child", "parent", "role"),
    "What was made from what",
)

_LEDGER = (
    Column(
        "item", TEXT, "id of a template, room, speaker or source; asset_id of a take, ambience or response"
    ),
    Column("kind", TEXT, "template, room, speaker, source, take, ambience, response"),
    Column("group_id", TEXT, "group it is tied to: a group never straddles"),
    Column("split", TEXT, "train, validation or test"),
    Column("batch", TEXT, "hash of the set of ids it was assigned with"),
    Column(
        "stratum", TEXT, "where its quota is counted: a take's event, an ambience's or a response's location"
    ),
    Column("keys", "VARCHAR[]", "what ties later arrivals to it: source, samples, near sound"),
)

SPLITS = TableSpec(
    "splits", _LEDGER, ("kind", "item"), "Split of templates, rooms, speakers and sources; append-only"
)
PARTITIONS = TableSpec(
    "partitions", _LEDGER, ("kind", "item"), "Split of takes, ambiences and responses; append-only"
)

JUDGEMENTS = TableSpec(
    "judgements",
    (
        Column("item", TEXT, "what was judged"),
        Column("question", TEXT, "what was asked"),
        Column("answer", TEXT, "what was answered"),
        Column("rater", TEXT, "who answered"),
        Column("decided_at", TIME, "when"),
    ),
    (),
    "Every decision of a person; append-only",
)

RELEASES = TableSpec(
    "releases",
    (
        Column("name", TEXT, "release"),
        Column("version", TEXT, "version, MAJOR.MINOR.PATCH"),
        Column("snapshot", COUNT, "snapshot of the lake it was made from"),
        Column("manifest_sha256", TEXT, "SHA-256 of its manifest.parquet"),
        Column("state", TEXT, "published or retracted"),
        Column("date", TEXT, "date inside, YYYY-MM-DD"),
        Column("profile", TEXT, "what it is for: commercial, share-alike, research; null for research"),
        Column("queries", TEXT, "what each config was read by, a JSON object of SQL"),
    ),
    ("name", "version"),
    "Published releases",
)

ENCODERS = TableSpec(
    "encoders",
    (
        Column("role", TEXT, "what is asked with it: words or sounds"),
        Column("model", TEXT, "the encoder's spec, such as clap:/models/clap-htsat-unfused"),
        Column("weights_sha256", TEXT, "SHA-256 of its weights, as in every row of its vectors"),
        Column("space", TEXT, "the vector space with its vectors"),
        Column("since", TIME, "when searches and mining went over to it"),
        Column("run_id", TEXT, "run that had filled the space"),
    ),
    (),
    "Which encoder answers searches, the newest row of a role; append-only; none while the packaged ones do",
)

SOURCE_CHECKS = TableSpec(
    "source_checks",
    (
        Column("item", TEXT, "what was asked about: a sound of Freesound, or an address"),
        Column("source_id", TEXT, "its source, as in assets"),
        Column("checked_at", TIME, "when"),
        Column("found", TEXT, "gone, relicensed, wish (for generative models), changed, same, or unknown"),
        Column("licence", TEXT, "SPDX identifier that the source states now; null where it states none"),
        Column("wish", TEXT, "the uploader's wish for generative models now; null where there is none"),
        Column("detail", TEXT, "one sentence for a person"),
        Column("run_id", TEXT, "run that asked"),
    ),
    (),
    "What sources said when they were asked again; append-only, the newest row of a source counts",
)

CREDITS = TableSpec(
    "credits",
    (
        Column("name", TEXT, "in the lineage: voice:SPEC@WEIGHTS or writer:NAME"),
        Column("title", TEXT, "for readers"),
        Column("author", TEXT, "who made it"),
        Column("licence", TEXT, "of what it made: SPDX identifier, or LicenseRef-…"),
        Column("changes", TEXT, "what became of that"),
    ),
    ("name",),
    "Voices and writers, with the licence of what they spoke and wrote",
)

TOMBSTONES = TableSpec(
    "tombstones",
    (
        Column("takedown", TEXT, "hash of what was taken down, which ties its rows together"),
        Column(
            "kind",
            TEXT,
            "source, speaker, author or item: refused from now on by that name; sound: by its bytes, samples and "
            "sound; made: what was made of it; bytes: media that went with them; release: a version that held any",
        ),
        Column("thing", TEXT, "the name, asset_id, id or NAME@VERSION"),
        Column("pcm_hash", TEXT, "hash of a sound's decoded samples"),
        Column("fingerprint", TEXT, "fingerprint of a sound"),
        Column("reason", TEXT, "why, as whoever took it down said"),
        Column("since", TIME, "when it was taken down"),
        Column("finished", TIME, "when it was proven to be gone; null until then"),
    ),
    ("takedown", "kind", "thing"),
    "What was taken down and does not come back",
)

OWN_TABLES = (
    ASSETS,
    QUARANTINE,
    DUPLICATES,
    STEP_COUNTS,
    RUNS,
    LINEAGE,
    CREDITS,
    SPLITS,
    PARTITIONS,
    JUDGEMENTS,
    RELEASES,
    ENCODERS,
    SOURCE_CHECKS,
    TOMBSTONES,
)
