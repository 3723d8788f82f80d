-- Erased accounts. An event that arrives after the erasure must not write rows of the account again.
CREATE TABLE erased_account (
    -- The id of the account. Not called account_id: this row must outlive the erasure.
    id uuid CONSTRAINT erased_account_pkey PRIMARY KEY,
    erased_at timestamptz NOT NULL
);
CREATE INDEX erased_account_erased_at ON erased_account (erased_at);
