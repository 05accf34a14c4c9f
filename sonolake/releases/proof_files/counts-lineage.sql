-- id: counts-lineage
-- policy: report
-- meaning: What plays which role in the making of the items: parents, what is made from them, and edges between the two.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

SELECT role, count(DISTINCT parent) AS parents, count(DISTINCT child) AS children, count(*) AS edges
FROM read_parquet(getvariable('root') || '/lineage.parquet')
GROUP BY role
ORDER BY role;
