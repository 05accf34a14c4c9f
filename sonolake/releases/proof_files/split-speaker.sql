-- id: split-speaker
-- policy: must
-- meaning: No speaker whose name is known is heard in two splits, whatever sources and tables the items are of.
-- expected: 0 rows
-- reads: ${reads}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');
${shards}
WITH
  said AS (
    SELECT
      CASE WHEN lower(${speaker}) IN (${nameless}) THEN NULL ELSE ${speaker} END AS speaker,
      regexp_extract(filename, '([^/]+)/[^/]+$$', 1) AS config,
      regexp_extract(filename, '([a-z]+)-[0-9]+-of-[0-9]+[.]parquet$$', 1) AS split
    FROM read_parquet(getvariable('shards'), filename = true, union_by_name = true, hive_partitioning = false)
  )
SELECT speaker, list_sort(list(DISTINCT split)) AS splits, count(*) AS items
FROM said
WHERE speaker IS NOT NULL
GROUP BY speaker
HAVING count(DISTINCT split) > 1
ORDER BY speaker;
