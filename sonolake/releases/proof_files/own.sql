-- id: ${id}
-- policy: ${policy}
-- meaning: ${meaning}
-- expected: ${expected}${reads}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');
${shards}
${sql};
