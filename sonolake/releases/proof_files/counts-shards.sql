-- id: counts-shards
-- policy: must
-- meaning: Every shard on disk holds as many rows as items.parquet lists for it.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');
${shards}
WITH
  top AS (SELECT length(file) - length('manifest.parquet') AS n FROM glob(getvariable('root') || '/manifest.parquet')),
  shards AS (
    SELECT substr(file_name, n + 1) AS path, num_rows
    FROM parquet_file_metadata(getvariable('shards')), top
  ),
  listed AS (
    SELECT m.path, count(i.item_id) AS n
    FROM read_parquet(getvariable('root') || '/manifest.parquet') m
    LEFT JOIN read_parquet(getvariable('root') || '/items.parquet') i USING (config, split, shard)
    WHERE m.config IS NOT NULL
    GROUP BY m.path
  )
SELECT path, shards.num_rows AS rows_there, listed.n AS rows_listed
FROM shards LEFT JOIN listed USING (path)
WHERE shards.num_rows IS DISTINCT FROM listed.n
ORDER BY path;
