-- id: counts-items
-- policy: report
-- meaning: Items, their length and their channels in every table and split; * is all of them together.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH
  places AS (
    SELECT DISTINCT config, split FROM read_parquet(getvariable('root') || '/manifest.parquet') WHERE config IS NOT NULL
  ),
  items AS (
    SELECT config, split, item_id, duration_s, channels
    FROM places LEFT JOIN read_parquet(getvariable('root') || '/items.parquet') USING (config, split)
  ),
  counted AS (
    SELECT coalesce(config, '*') AS config, coalesce(split, '*') AS split, count(item_id) AS items,
      coalesce(fsum(duration_s), 0) AS seconds,
      array_to_string(list_sort(list(DISTINCT channels)), ', ') AS channels
    FROM items
    GROUP BY GROUPING SETS ((config, split), (config), (split), ())
  )
SELECT config, split, items, printf('%.2f', seconds / 3600) AS hours, printf('%.1f', seconds / 60) AS minutes,
  coalesce(nullif(channels, ''), '-') AS channels
FROM counted
ORDER BY config, list_position(['train', 'validation', 'test', '*'], split);
