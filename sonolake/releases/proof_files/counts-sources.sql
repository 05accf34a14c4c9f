-- id: counts-sources
-- policy: report
-- meaning: Sources by licence, and whether a program made them; * is all of them together.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH sources AS (
  SELECT coalesce(licence, 'none') AS licence,
    CASE WHEN lower(synthetic) = 'true' THEN 'synthetic' ELSE 'recorded' END AS kind
  FROM ${attribution}
)
SELECT coalesce(licence, '*') AS licence, coalesce(kind, '*') AS kind, count(*) AS sources
FROM sources
GROUP BY GROUPING SETS ((licence, kind), (kind), ())
ORDER BY licence, kind;
