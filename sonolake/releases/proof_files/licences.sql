-- id: licences
-- policy: must
-- meaning: Every item and every source has a licence that may be released.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH
  allowed AS (FROM (VALUES ${licences}) AS t(licence)),
  carried AS (
    SELECT item_id AS thing, licence FROM read_parquet(getvariable('root') || '/items.parquet')
    UNION ALL
    SELECT source_id, licence
    FROM ${attribution}
  )
SELECT thing, licence FROM carried
WHERE licence IS NULL OR licence NOT IN (FROM allowed)
ORDER BY thing;
