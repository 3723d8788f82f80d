-- Which content is in: a row for each version that was imported (kit::content::record).
CREATE TABLE content_import (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT content_import_pkey PRIMARY KEY,
    -- The SHA-256 of the archive's manifest, in hex; NULL for a folder, which has no version.
    digest text,
    git_commit text,
    imported_at timestamptz NOT NULL
);
