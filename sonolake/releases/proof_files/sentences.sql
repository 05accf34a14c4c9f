-- id: sentences-${config}
-- policy: report
-- meaning: Sentences of ${config} that are said in more than one split.
-- expected: ${rows} rows
-- reads: ${config}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');
${shards}
WITH
  spoken AS (
    SELECT unnest("${column}") AS turn, regexp_extract(filename, '([a-z]+)-[0-9]+-of-[0-9]+[.]parquet$$', 1) AS split
    FROM read_parquet(getvariable('shards'), filename = true, hive_partitioning = false)
  ),
  said AS (
    SELECT
      lower(trim(unnest(regexp_extract_all(turn.text, '(?s).+?(?:[.!?…]+["”’)]*(?:\s+|$$)|[。！？]+["”’)]*|$$)')))) AS sentence,
      split
    FROM spoken
  )
SELECT sentence, list_sort(list(DISTINCT split)) AS splits
FROM said
WHERE sentence <> ''
GROUP BY sentence
HAVING count(DISTINCT split) > 1
ORDER BY sentence;
