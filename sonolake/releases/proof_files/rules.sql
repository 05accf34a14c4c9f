-- id: rules-${config}
-- policy: must
-- meaning: No event of ${config} breaks a rule of the mix (the column violates names the rule).
-- expected: 0 rows
-- reads: ${config}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');
${shards}
WITH placed AS (
  SELECT item_id, unnest("${column}") AS entry
  FROM read_parquet(getvariable('shards'), hive_partitioning = false)
)
SELECT item_id, entry.violates AS rule FROM placed WHERE entry.violates IS NOT NULL ORDER BY ALL;
