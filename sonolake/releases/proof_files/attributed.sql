-- id: attributed
-- policy: must
-- meaning: Every sound, voice and writer that an item is made from stands in ATTRIBUTION.csv.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

SELECT DISTINCT l.parent, l.role
FROM read_parquet(getvariable('root') || '/lineage.parquet') l
LEFT JOIN ${attribution} s
  ON s.asset_id = l.parent
WHERE l.role IN ('take', 'ambience', 'response', 'foa', 'speech', 'vocal', 'voice', 'writer', 'situations', 'paraphrase') AND s.asset_id IS NULL
ORDER BY ALL;
