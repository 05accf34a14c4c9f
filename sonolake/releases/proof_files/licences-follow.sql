-- id: licences-follow
-- policy: must
-- meaning: No item is freer than what it is made from: NC stays NC, SA stays SA, and what asks for credit keeps asking.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH RECURSIVE
  lineage AS (FROM read_parquet(getvariable('root') || '/lineage.parquet')),
  items AS (SELECT DISTINCT item_id, licence FROM read_parquet(getvariable('root') || '/items.parquet')),
  sources AS (
    SELECT asset_id, licence
    FROM ${attribution}
  ),
  ancestors AS (
    SELECT i.item_id, i.licence, l.parent FROM items i JOIN lineage l ON l.child = i.item_id
    UNION
    SELECT a.item_id, a.licence, l.parent FROM ancestors a JOIN lineage l ON l.child = a.parent
  )
SELECT DISTINCT a.item_id, a.licence, s.licence AS of_source
FROM ancestors a JOIN sources s ON s.asset_id = a.parent
WHERE (contains(s.licence, '-NC') AND NOT contains(a.licence, '-NC'))
  OR (contains(s.licence, '-SA') AND NOT contains(a.licence, '-SA'))
  OR (starts_with(s.licence, 'CC-BY') AND a.licence = 'CC0-1.0')
ORDER BY ALL;
