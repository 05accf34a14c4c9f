-- id: counts-licences
-- policy: report
-- meaning: Items, split by split, and sources under every licence.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH
  items AS (
    SELECT coalesce(licence, 'none') AS licence, count(*) AS items, count(*) FILTER (split = 'train') AS train,
      count(*) FILTER (split = 'validation') AS validation, count(*) FILTER (split = 'test') AS test
    FROM read_parquet(getvariable('root') || '/items.parquet')
    GROUP BY ALL
  ),
  sources AS (
    SELECT coalesce(licence, 'none') AS licence, count(*) AS sources
    FROM ${attribution}
    GROUP BY ALL
  )
SELECT licence, coalesce(items, 0) AS items, coalesce(sources, 0) AS sources,
  coalesce(train, 0) AS train, coalesce(validation, 0) AS validation, coalesce(test, 0) AS test
FROM items FULL JOIN sources USING (licence)
ORDER BY licence;
