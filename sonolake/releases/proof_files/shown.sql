-- id: shown-${config}
-- policy: report
-- meaning: The items of ${config} that the report plays, as they stand in the table, without their sound.
-- expected: ${rows} rows, as follows
${answer}
-- reads: ${config}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');
${shards}
WITH shown AS (
  SELECT ${columns}
  FROM read_parquet(getvariable('shards'), hive_partitioning = false)
  WHERE item_id IN (${items})
)
SELECT item_id, to_json(shown) AS told FROM shown ORDER BY item_id;
