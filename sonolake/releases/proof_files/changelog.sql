-- id: changelog
-- policy: report
-- meaning: What CHANGELOG.md says of this version; sonolake diff compares the two versions again.
-- expected: ${rows} rows, as follows
${answer}
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');

WITH
  entry AS (
    SELECT string_split(split_part(split_part(content, chr(10) || '## [${version}]', 2), chr(10) || '## [', 1), chr(10)) AS told
    FROM read_text(getvariable('root') || '/CHANGELOG.md')
  ),
  lines AS (SELECT unnest(told) AS line, generate_subscripts(told, 1) AS n FROM entry),
  kinds AS (
    SELECT n, line, last_value(CASE WHEN starts_with(line, '### ') THEN substr(line, 5) END IGNORE NULLS) OVER (ORDER BY n) AS kind
    FROM lines
  )
SELECT coalesce(kind, '') AS kind, substr(line, 3) AS change FROM kinds WHERE starts_with(line, '- ') ORDER BY n;
