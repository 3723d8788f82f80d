-- What people write to the school, and who wrote too often.

CREATE TABLE contact (
    id uuid CONSTRAINT contact_pkey PRIMARY KEY,
    number text NOT NULL CONSTRAINT contact_number UNIQUE, -- e.g. K-261121-4F7Q
    kind text NOT NULL,
    created timestamptz NOT NULL,
    trace_id text NOT NULL, -- of the request it came with
    key bytea NOT NULL CONSTRAINT contact_key UNIQUE, -- a keyed hash of the browser's Idempotency-Key
    digest bytea NOT NULL, -- a keyed hash of all that was sent with it
    sealed bytea NOT NULL -- name, address and text under AES-256-GCM: nonce, ciphertext, tag
);
CREATE INDEX contact_created ON contact (created);

CREATE TABLE contact_picture (
    id uuid CONSTRAINT contact_picture_pkey PRIMARY KEY,
    contact uuid CONSTRAINT contact_picture_contact REFERENCES contact ON DELETE CASCADE, -- none until it is written
    created timestamptz NOT NULL,
    sealed bytea NOT NULL -- a JPEG, as above
);
CREATE INDEX contact_picture_contact ON contact_picture (contact);
CREATE INDEX contact_picture_created ON contact_picture (created);

-- kit::limit owns the statements.
CREATE TABLE rate_limit (
    bucket bytea CONSTRAINT rate_limit_pkey PRIMARY KEY,
    full_at timestamptz NOT NULL
);
CREATE INDEX rate_limit_full_at ON rate_limit (full_at);
