-- What other services are told, kept until they have taken it. kit::outbox owns the statements.

CREATE TABLE outbox (
    id uuid CONSTRAINT outbox_pkey PRIMARY KEY,
    receiver text NOT NULL,
    type text NOT NULL, -- e.g. auth.v1.AccountErased
    payload bytea NOT NULL, -- the message, under AES-256-GCM: nonce, ciphertext, tag
    occurred_at timestamptz NOT NULL,
    traceparent text, -- of what caused it
    tries integer NOT NULL,
    next_try_at timestamptz NOT NULL -- also the end of the lease of who delivers it
);
CREATE INDEX outbox_receiver ON outbox (receiver, occurred_at, id);
