-- id: split-${role}
-- policy: must
-- meaning: No ${role} is used in two splits, whatever tables its items are in.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH RECURSIVE
  lineage AS (FROM read_parquet(getvariable('root') || '/lineage.parquet')),
  items AS (SELECT DISTINCT item_id, split FROM read_parquet(getvariable('root') || '/items.parquet')),
  ancestors AS (
    SELECT i.split, l.parent, l.role FROM items i JOIN lineage l ON l.child = i.item_id
    UNION
    SELECT a.split, l.parent, l.role FROM ancestors a JOIN lineage l ON l.child = a.parent
  )
SELECT parent AS "${role}", list_sort(list(DISTINCT split)) AS splits
FROM ancestors
WHERE role = '${role}'
GROUP BY parent
HAVING count(DISTINCT split) > 1
ORDER BY parent;
