-- Events that wait for their receiver. kit::outbox owns the statements.
CREATE TABLE outbox (
    id uuid CONSTRAINT outbox_pkey PRIMARY KEY,
    receiver text NOT NULL,
    -- E.g. commerce.v1.PriceListPublished.
    type text NOT NULL,
    -- The message, encrypted with AES-256-GCM: nonce, ciphertext, tag.
    payload bytea NOT NULL,
    occurred_at timestamptz NOT NULL,
    traceparent text,
    tries integer NOT NULL,
    -- Also the end of a dispatcher's lease.
    next_try_at timestamptz NOT NULL
);
CREATE INDEX outbox_receiver ON outbox (receiver, occurred_at, id);

-- When the prices were last published to other services. One row. Its lock puts publications in an order.
CREATE TABLE price_list (
    is_only boolean NOT NULL DEFAULT true CONSTRAINT price_list_pkey PRIMARY KEY CONSTRAINT price_list_is_only CHECK (is_only),
    published_at timestamptz NOT NULL
);
