-- id: counts-formats
-- policy: report
-- meaning: Sample rates, channels and lengths of the sounds of every table.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

SELECT config, sample_rate AS hertz, channels, count(*) AS items,
  printf('%.2f', min(duration_s)) AS shortest_s, printf('%.2f', max(duration_s)) AS longest_s
FROM read_parquet(getvariable('root') || '/items.parquet')
WHERE bytes IS NOT NULL AND sample_rate IS NOT NULL AND channels IS NOT NULL AND duration_s IS NOT NULL
GROUP BY config, sample_rate, channels
ORDER BY config, sample_rate, channels;
