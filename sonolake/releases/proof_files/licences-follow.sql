-- id: licences-follow
-- policy: must
-- meaning: Each item has a licence that a mix may have of what it is made from, in no lower version: the pairs are below.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH RECURSIVE
  terms(licence, family, version) AS (VALUES
    ${terms}),
  mixes(family, part) AS (VALUES
    ${mixes}),
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
JOIN terms whole ON whole.licence = a.licence
JOIN terms layer ON layer.licence = s.licence
WHERE a.licence <> s.licence
  AND (layer.version > whole.version
    OR NOT EXISTS (FROM mixes m WHERE m.family = whole.family AND m.part = layer.family))
ORDER BY ALL;
