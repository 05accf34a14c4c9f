-- id: voices
-- policy: report
-- meaning: Voices that speak in more than one split; a small pool of voices cannot avoid it.
-- expected: ${rows} rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

SELECT l.parent AS voice, list_sort(list(DISTINCT i.split)) AS splits, count(DISTINCT i.item_id) AS items
FROM read_parquet(getvariable('root') || '/items.parquet') i
JOIN read_parquet(getvariable('root') || '/lineage.parquet') l ON l.child = i.item_id
WHERE l.role = 'voice'
GROUP BY l.parent
HAVING count(DISTINCT i.split) > 1
ORDER BY l.parent;
