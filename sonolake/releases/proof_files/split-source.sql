-- id: split-source
-- policy: must
-- meaning: No source of sound (one upload, one recording) is heard in two splits, even through different assets.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH RECURSIVE
  lineage AS (FROM read_parquet(getvariable('root') || '/lineage.parquet')),
  items AS (SELECT DISTINCT item_id, split FROM read_parquet(getvariable('root') || '/items.parquet')),
  sources AS (
    SELECT asset_id, source_id
    FROM ${attribution}
  ),
  ancestors AS (
    SELECT i.split, l.parent, l.role FROM items i JOIN lineage l ON l.child = i.item_id
    UNION
    SELECT a.split, l.parent, l.role FROM ancestors a JOIN lineage l ON l.child = a.parent
  )
SELECT s.source_id, list_sort(list(DISTINCT a.split)) AS splits
FROM ancestors a JOIN sources s ON s.asset_id = a.parent
WHERE a.role NOT IN ('voice', 'model', 'writer', 'situations', 'paraphrase')
GROUP BY s.source_id
HAVING count(DISTINCT a.split) > 1
ORDER BY s.source_id;
