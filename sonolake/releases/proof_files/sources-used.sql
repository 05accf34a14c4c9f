-- id: sources-used
-- policy: report
-- meaning: The twelve sources that most items are made from.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

SELECT coalesce(title, source_id) AS title, author, licence, used_in AS items
FROM ${attribution}
ORDER BY used_in::BIGINT DESC, source_id, asset_id
LIMIT 12;
