-- The secret address with which a person's calendar apps read their dates.

CREATE TABLE calendar_address (
    account uuid CONSTRAINT calendar_address_pkey PRIMARY KEY,
    token_hash bytea NOT NULL CONSTRAINT calendar_address_token UNIQUE, -- keyed
    created_at timestamptz NOT NULL
);
