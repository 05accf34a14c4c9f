-- id: counts-files
-- policy: report
-- meaning: Shards of every table and split, and their size in MB of a million bytes.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

SELECT config, split, count(*) AS shards, printf('%.2f', sum(bytes) / 1e6) AS megabytes
FROM read_parquet(getvariable('root') || '/manifest.parquet')
WHERE config IS NOT NULL
GROUP BY config, split
ORDER BY config, list_position(['train', 'validation', 'test'], split);
