-- id: counts-writers
-- policy: report
-- meaning: Who wrote the words of how many items.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

SELECT parent AS writer, count(DISTINCT child) AS items
FROM read_parquet(getvariable('root') || '/lineage.parquet')
WHERE role = 'writer'
GROUP BY parent
ORDER BY parent;
