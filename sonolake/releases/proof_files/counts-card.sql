-- id: counts-card
-- policy: must
-- meaning: The card counts every split of every table as items.parquet lists it.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH
  card AS (SELECT content FROM read_text(getvariable('root') || '/README.md')),
  lines AS (
    SELECT unnest(regexp_extract_all(content, '\| `[a-z0-9._-]+` \| (train|validation|test) \| [0-9]+ \|')) AS line
    FROM card
  ),
  told AS (
    SELECT regexp_extract(line, '`([^`]+)`', 1) AS config,
      regexp_extract(line, '(train|validation|test) \|', 1) AS split,
      regexp_extract(line, '([0-9]+) \|$$', 1)::BIGINT AS n
    FROM lines
  ),
  listed AS (
    SELECT config, split, count(*) AS n
    FROM read_parquet(getvariable('root') || '/items.parquet')
    GROUP BY config, split
  )
SELECT config, split, told.n AS card, coalesce(listed.n, 0) AS items
FROM told FULL JOIN listed USING (config, split)
WHERE told.n IS DISTINCT FROM coalesce(listed.n, 0)
ORDER BY config, split;
