CREATE TABLE idempotency (
    key bytea CONSTRAINT idempotency_pkey PRIMARY KEY,
    body_hash bytea NOT NULL,
    answer bytea NOT NULL,
    created timestamptz NOT NULL
);
CREATE INDEX idempotency_created ON idempotency (created);

-- The effects of the requests of these tests.
CREATE TABLE effect (name text NOT NULL);
