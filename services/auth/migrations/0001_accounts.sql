-- People, their sessions, the keys that tokens are signed with, and the limits on guessing.

CREATE TABLE account (
    id uuid CONSTRAINT account_pkey PRIMARY KEY,
    email text NOT NULL, -- as it was registered
    email_key text NOT NULL CONSTRAINT account_email_unique UNIQUE, -- in lower case: how an account is found
    password_hash text NOT NULL, -- argon2id, in PHC format
    scope text[] NOT NULL,
    last_name text NOT NULL,
    first_name text NOT NULL,
    last_name_kana text NOT NULL,
    first_name_kana text NOT NULL,
    birth_date date,
    created timestamptz NOT NULL
);

-- A login, and everything refreshed from it: the family of its refresh tokens.
CREATE TABLE session (
    sid uuid CONSTRAINT session_pkey PRIMARY KEY,
    account uuid NOT NULL CONSTRAINT session_account_fkey REFERENCES account ON DELETE CASCADE,
    created timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    user_agent text NOT NULL,
    ended_at timestamptz,
    -- A token's successor is HMAC-SHA256(refresh_key, token): the same however often it is asked for, though only
    -- hashes are stored.
    refresh_key bytea NOT NULL CONSTRAINT session_refresh_key_length CHECK (octet_length(refresh_key) = 32)
);
CREATE INDEX session_account ON session (account);
CREATE INDEX session_expires_at ON session (expires_at);
CREATE INDEX session_ended_at ON session (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE refresh_token (
    hash bytea -- SHA-256 of the token
        CONSTRAINT refresh_token_pkey PRIMARY KEY
        CONSTRAINT refresh_token_hash_length CHECK (octet_length(hash) = 32),
    sid uuid NOT NULL CONSTRAINT refresh_token_sid_fkey REFERENCES session ON DELETE CASCADE,
    issued_at timestamptz NOT NULL,
    used_at timestamptz -- the first time
);
CREATE INDEX refresh_token_sid ON refresh_token (sid);

-- Sessions that ended while an access token of theirs may live; followed by every process.
CREATE TABLE revocation (
    sid uuid CONSTRAINT revocation_pkey PRIMARY KEY, -- no reference: it outlives the session and the account
    revoked_at timestamptz NOT NULL,
    -- Who reads again from the oldest transaction that was under way misses none, however late it commits.
    xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX revocation_xid ON revocation (xid);
CREATE INDEX revocation_revoked_at ON revocation (revoked_at);

CREATE TABLE signing_key (
    kid text CONSTRAINT signing_key_pkey PRIMARY KEY,
    public_key bytea NOT NULL CONSTRAINT signing_key_public_key_length CHECK (octet_length(public_key) = 32),
    -- PKCS#8 under AES-256-GCM: nonce, ciphertext, tag. Forgotten when the key retires.
    sealed_private_key bytea,
    state text NOT NULL
        CONSTRAINT signing_key_state CHECK (state IN ('added', 'signing', 'superseded', 'retired')),
    added_at timestamptz NOT NULL,
    signing_at timestamptz,
    superseded_at timestamptz,
    retired_at timestamptz,
    CONSTRAINT signing_key_sealed CHECK ((state = 'retired') = (sealed_private_key IS NULL))
);
CREATE UNIQUE INDEX signing_key_one_signer ON signing_key ((true)) WHERE state = 'signing';

-- One row a bucket that is not full: a hash of what is limited, and when it is full again.
CREATE TABLE rate_limit (
    bucket bytea CONSTRAINT rate_limit_pkey PRIMARY KEY,
    full_at timestamptz NOT NULL
);
CREATE INDEX rate_limit_full_at ON rate_limit (full_at);

-- Wrong passwords for one e-mail address, of an account or not.
CREATE TABLE login_failure (
    account_key bytea CONSTRAINT login_failure_pkey PRIMARY KEY, -- a keyed hash of the address in lower case
    failures integer NOT NULL,
    since timestamptz NOT NULL,
    blocked_until timestamptz
);
CREATE INDEX login_failure_age ON login_failure (COALESCE(blocked_until, since));
