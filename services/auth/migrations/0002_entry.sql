-- Signing up, links in mails, and passwords that must be changed.

ALTER TABLE account
    ADD COLUMN must_change_password boolean NOT NULL DEFAULT false,
    ADD COLUMN terms_at timestamptz, -- when its owner agreed to the terms; null for imported accounts
    ADD COLUMN campaign text NOT NULL DEFAULT ''; -- where they came from

-- Links in mails. Each works once.
CREATE TABLE link (
    hash bytea -- SHA-256 of the token
        CONSTRAINT link_pkey PRIMARY KEY
        CONSTRAINT link_hash_length CHECK (octet_length(hash) = 32),
    purpose text NOT NULL
        CONSTRAINT link_purpose CHECK (purpose IN ('verify', 'reset', 'email', 'email_undo', 'consent')),
    account uuid CONSTRAINT link_account_fkey REFERENCES account ON DELETE CASCADE,
    subject uuid, -- what else it is about, by its purpose
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE INDEX link_account ON link (account, purpose);
CREATE INDEX link_expires_at ON link (expires_at);

CREATE TABLE sign_up (
    id uuid CONSTRAINT sign_up_pkey PRIMARY KEY, -- the subject of its links
    -- The account that the address had already. The row is like any other then, but no code and no link fit.
    decoy_of uuid CONSTRAINT sign_up_decoy_of_fkey REFERENCES account ON DELETE CASCADE,
    email text NOT NULL, -- as typed
    kind text NOT NULL CONSTRAINT sign_up_kind CHECK (kind IN ('learner', 'guardian')),
    password_hash text, -- forgotten when it is the account's
    terms_at timestamptz NOT NULL,
    news boolean NOT NULL,
    campaign text NOT NULL,
    code_hash bytea, -- a keyed hash; forgotten when it was used
    tries smallint NOT NULL, -- wrong codes since the last mail
    mailed_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    verified_at timestamptz,
    completed_at timestamptz,
    CONSTRAINT sign_up_password CHECK ((password_hash IS NULL) = (completed_at IS NOT NULL))
);
CREATE INDEX sign_up_decoy_of ON sign_up (decoy_of);
CREATE INDEX sign_up_expires_at ON sign_up (expires_at);

-- What browsers hold to go on with a sign-up: the one that began it, and those where its link was opened.
CREATE TABLE sign_up_handle (
    hash bytea -- SHA-256 of the handle
        CONSTRAINT sign_up_handle_pkey PRIMARY KEY
        CONSTRAINT sign_up_handle_hash_length CHECK (octet_length(hash) = 32),
    sign_up uuid NOT NULL CONSTRAINT sign_up_handle_sign_up_fkey REFERENCES sign_up ON DELETE CASCADE
);
CREATE INDEX sign_up_handle_sign_up ON sign_up_handle (sign_up);
