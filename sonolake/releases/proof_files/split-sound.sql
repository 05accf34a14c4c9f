-- id: split-sound
-- policy: must
-- meaning: No sound is in two splits, byte for byte, whatever the items are called and whatever tables they are in.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH
  sounds AS (
    SELECT sha256, split, item_id FROM read_parquet(getvariable('root') || '/items.parquet') WHERE sha256 IS NOT NULL
  ),
  shared AS (SELECT sha256 FROM sounds GROUP BY sha256 HAVING min(split) <> max(split))
SELECT sha256, list_sort(list(DISTINCT split)) AS splits, list_sort(list(DISTINCT item_id))[1:4] AS items
FROM sounds SEMI JOIN shared USING (sha256)
GROUP BY sha256
ORDER BY sha256;
