-- Events of other services that were taken, each once. kit_db::inbox owns the statements.
CREATE TABLE inbox (
    event uuid CONSTRAINT inbox_pkey PRIMARY KEY,
    taken_at timestamptz NOT NULL
);
CREATE INDEX inbox_taken_at ON inbox (taken_at);
