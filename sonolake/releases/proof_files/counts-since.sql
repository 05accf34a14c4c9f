-- id: counts-since
-- policy: report
-- meaning: Since which version how many items are as they are now.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

SELECT config, since, count(*) AS items
FROM read_parquet(getvariable('root') || '/items.parquet')
GROUP BY config, since
ORDER BY config, list_transform(string_split(since, '.'), part -> try_cast(part AS BIGINT)) DESC, since;
