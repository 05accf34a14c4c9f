-- id: speakers
-- policy: report
-- meaning: Speakers and items in every table and split, and of how many items nobody knows who speaks.
-- expected: ${rows} rows, as follows
${answer}
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
SELECT config, split, count(*) AS items, count(DISTINCT speaker) AS speakers, count(*) - count(speaker) AS unknown
FROM said
GROUP BY ALL
ORDER BY ALL;
