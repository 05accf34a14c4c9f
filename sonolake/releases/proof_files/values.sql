-- id: values-${config}
-- policy: report
-- meaning: How often the values occur that the report draws of ${config}; those beyond fourteen of a chart are summed up.
-- expected: ${rows} rows, as follows
${answer}
-- reads: ${config}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');
${shards}
WITH
  entries AS (
    SELECT * EXCLUDE (filename), regexp_extract(filename, '([a-z]+)-[0-9]+-of-[0-9]+[.]parquet$$', 1) AS "its split"
    FROM read_parquet(getvariable('shards'), filename = true, union_by_name = true, hive_partitioning = false)
  ),
  named AS (FROM (VALUES ${named}) AS t(chart, label, place)),
  found AS (
${found}
  ),
  counted AS (SELECT chart, label, "its split" AS split, count(*) AS n FROM found WHERE label IS NOT NULL GROUP BY ALL),
  ranked AS (
    SELECT chart, label, row_number() OVER (PARTITION BY chart ORDER BY any_value(place) NULLS LAST, sum(n) DESC, label) AS place
    FROM counted LEFT JOIN named USING (chart, label)
    GROUP BY chart, label
  ),
  bars AS (
    SELECT chart, least(place, 15) AS place, split, n,
      CASE WHEN place < 15 THEN label ELSE max(place) OVER (PARTITION BY chart) - 14 || ' more' END AS label
    FROM counted JOIN ranked USING (chart, label)
  )
SELECT chart, label, sum(n) AS n, coalesce(sum(n) FILTER (split = 'train'), 0) AS train,
  coalesce(sum(n) FILTER (split = 'validation'), 0) AS validation, coalesce(sum(n) FILTER (split = 'test'), 0) AS test,
  sum(sum(n)) OVER (PARTITION BY chart) AS of_all
FROM bars
GROUP BY chart, place, label
ORDER BY chart, place;
