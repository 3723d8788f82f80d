-- Answers to requests with an idempotency key, for 24 hours. kit::idempotency owns the statements.
-- The columns `key` and `digest` of `contact` stay for replicas of the release before.
CREATE TABLE idempotency (
    key bytea CONSTRAINT idempotency_pkey PRIMARY KEY,
    body_hash bytea NOT NULL,
    answer bytea NOT NULL,
    created timestamptz NOT NULL
);
CREATE INDEX idempotency_created ON idempotency (created);
