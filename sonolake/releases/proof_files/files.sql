-- id: files
-- policy: must
-- meaning: Every file of the manifest is on disk with its size, and nothing else is; splits left out when pulled apart.
-- expected: 0 rows
-- Run by plain DuckDB in the release's folder, or with the variable root set to it, to https://… or to s3://….
SET VARIABLE root = rtrim(coalesce(getvariable('root'), '.'), '/');
-- A web server cannot be asked what there is: there it is the files of the manifest, each of which must answer.
SET VARIABLE files = (
  SELECT CASE WHEN regexp_matches(getvariable('root'), '^https?://')
    THEN list(getvariable('root') || '/' || path) ELSE [getvariable('root') || '/**'] END
  FROM (
    SELECT path FROM read_parquet(getvariable('root') || '/manifest.parquet')
    UNION ALL VALUES ('manifest.parquet'), ('SHA256SUMS'), ('_COMPLETE')
  ));

WITH
  top AS (SELECT length(file) - length('manifest.parquet') AS n FROM glob(getvariable('root') || '/manifest.parquet')),
  disk AS (
    SELECT substr(filename, n + 1) AS path, size FROM read_blob(getvariable('files')), top
    WHERE substr(filename, n + 1) <> '.pull.lock'
  ),
  pulled AS (SELECT substr(path, 9) AS split FROM disk WHERE starts_with(path, '_PULLED-')),
  manifest AS (
    SELECT path, bytes
    FROM read_parquet(getvariable('root') || '/manifest.parquet')
    WHERE split IS NULL OR split IN (FROM pulled) OR NOT EXISTS (FROM pulled)
  ),
  known AS (
    SELECT path FROM manifest
    UNION ALL VALUES ('manifest.parquet'), ('SHA256SUMS'), ('_COMPLETE')
    UNION ALL SELECT '_PULLED-' || split FROM pulled
  )
SELECT path, 'missing' AS what FROM known ANTI JOIN disk USING (path)
UNION ALL
SELECT path, 'extra' FROM disk ANTI JOIN known USING (path)
UNION ALL
SELECT path, 'size' FROM disk JOIN manifest USING (path) WHERE size <> bytes
ORDER BY path;
