-- The tables of every sender's and every receiver's database.
CREATE TABLE outbox (
    id uuid CONSTRAINT outbox_pkey PRIMARY KEY,
    receiver text NOT NULL,
    type text NOT NULL,
    payload bytea NOT NULL,
    occurred_at timestamptz NOT NULL,
    traceparent text,
    tries integer NOT NULL,
    next_try_at timestamptz NOT NULL
);
CREATE INDEX outbox_receiver ON outbox (receiver, occurred_at, id);
CREATE TABLE inbox (
    event uuid CONSTRAINT inbox_pkey PRIMARY KEY,
    taken_at timestamptz NOT NULL
);
CREATE INDEX inbox_taken_at ON inbox (taken_at);
