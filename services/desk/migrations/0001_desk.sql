-- Mails on their way and, for a month, that they were sent; events that were taken; postal codes.

CREATE TABLE mail (
    id uuid CONSTRAINT mail_pkey PRIMARY KEY, -- of the event that it tells of
    kind text NOT NULL, -- e.g. password_changed
    account uuid, -- whose; nobody's while they sign up
    created timestamptz NOT NULL, -- when it happened: the mail's own date
    -- Recipient and message under AES-256-GCM: nonce, ciphertext, tag. Forgotten when nothing is to be sent any more.
    sealed bytea,
    state text NOT NULL CONSTRAINT mail_state CHECK (state IN ('waiting', 'sent', 'bounced', 'expired')),
    reply smallint, -- what the mail server said last, e.g. 550
    traceparent text, -- of what caused it
    tries integer NOT NULL,
    next_try_at timestamptz NOT NULL, -- also the end of the lease of who sends it
    done_at timestamptz,
    CONSTRAINT mail_sealed CHECK ((state = 'waiting') = (sealed IS NOT NULL)),
    CONSTRAINT mail_done CHECK ((state = 'waiting') = (done_at IS NULL))
);
CREATE INDEX mail_waiting ON mail (created, id) WHERE state = 'waiting';
CREATE INDEX mail_account ON mail (account);
CREATE INDEX mail_done_at ON mail (done_at);

-- kit::inbox owns the statements.
CREATE TABLE inbox (
    event uuid CONSTRAINT inbox_pkey PRIMARY KEY,
    taken_at timestamptz NOT NULL
);
CREATE INDEX inbox_taken_at ON inbox (taken_at);

-- As Japan Post publishes them.
CREATE TABLE postal_town (
    code text NOT NULL CONSTRAINT postal_town_code CHECK (code ~ '^[0-9]{7}$'),
    prefecture text NOT NULL,
    city text NOT NULL,
    town text NOT NULL,
    prefecture_kana text NOT NULL,
    city_kana text NOT NULL,
    town_kana text NOT NULL,
    CONSTRAINT postal_town_pkey PRIMARY KEY (code, prefecture, city, town)
);
