-- Payments at convenience stores and by bank transfer.

-- Customers at the provider. One has the bank account that only its buyer pays into, and the buyer's saved card.
CREATE TABLE customer (
    account_id uuid CONSTRAINT customer_pkey PRIMARY KEY,
    provider_customer text NOT NULL CONSTRAINT customer_provider_customer_key UNIQUE,
    created_at timestamptz NOT NULL
);

-- Customers of erased accounts, which are still to be deleted at the provider.
CREATE TABLE erased_customer (
    provider_customer text CONSTRAINT erased_customer_pkey PRIMARY KEY,
    erased_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    -- Also the end of a worker's lease.
    next_try_at timestamptz NOT NULL
);
CREATE INDEX erased_customer_next_try_at ON erased_customer (next_try_at);
