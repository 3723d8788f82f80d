-- Signing in without a password.

CREATE TABLE passkey (
    id uuid CONSTRAINT passkey_pkey PRIMARY KEY,
    account uuid NOT NULL CONSTRAINT passkey_account_fkey REFERENCES account ON DELETE CASCADE,
    name text NOT NULL, -- as its owner calls it
    credential_id bytea NOT NULL CONSTRAINT passkey_credential_unique UNIQUE,
    credential jsonb NOT NULL, -- its public key, its counter, how it was made
    created timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE INDEX passkey_account ON passkey (account);

-- What a browser has been asked to sign; taken once.
CREATE TABLE passkey_challenge (
    id uuid CONSTRAINT passkey_challenge_pkey PRIMARY KEY,
    account uuid CONSTRAINT passkey_challenge_account_fkey REFERENCES account ON DELETE CASCADE, -- who adds one; null at a login
    state jsonb NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_account ON passkey_challenge (account);
CREATE INDEX passkey_challenge_expires_at ON passkey_challenge (expires_at);
