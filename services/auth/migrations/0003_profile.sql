-- What people tell of themselves, who looks after whom, and how an account ends. Whatever belongs to one account goes
-- with it.

ALTER TABLE account
    -- So many years above what the birth date says, where its owner chose so: it moves on each April all the same.
    ADD COLUMN school_year_shift smallint NOT NULL DEFAULT 0,
    ADD COLUMN school_name text NOT NULL DEFAULT '',
    ADD COLUMN news boolean NOT NULL DEFAULT false,
    -- Set while the account is closing.
    ADD COLUMN erase_at timestamptz;
CREATE INDEX account_erase_at ON account (erase_at) WHERE erase_at IS NOT NULL;

-- Where the session was last used: a keyed hash of the network. Null for sessions older than this column.
ALTER TABLE session ADD COLUMN network bytea;

CREATE TABLE address (
    account uuid CONSTRAINT address_pkey PRIMARY KEY
        CONSTRAINT address_account_fkey REFERENCES account ON DELETE CASCADE,
    postal_code text NOT NULL,
    prefecture text NOT NULL,
    city text NOT NULL,
    town text NOT NULL,
    building text NOT NULL,
    phone text NOT NULL -- E.164
);

-- Changes of an e-mail address that wait for a link to be used: the one to the new address, or after that the one to
-- the old address.
CREATE TABLE email_change (
    id uuid CONSTRAINT email_change_pkey PRIMARY KEY, -- the subject of both links
    account uuid NOT NULL CONSTRAINT email_change_account_fkey REFERENCES account ON DELETE CASCADE,
    new_email text NOT NULL,
    asked_at timestamptz NOT NULL,
    old_email text,
    confirmed_at timestamptz,
    forget_at timestamptz NOT NULL, -- when its link is dead
    CONSTRAINT email_change_confirmed CHECK ((old_email IS NULL) = (confirmed_at IS NULL))
);
CREATE INDEX email_change_account ON email_change (account);
CREATE INDEX email_change_forget_at ON email_change (forget_at);

-- The guardian that a minor named last.
CREATE TABLE consent (
    account uuid CONSTRAINT consent_pkey PRIMARY KEY
        CONSTRAINT consent_account_fkey REFERENCES account ON DELETE CASCADE,
    id uuid NOT NULL CONSTRAINT consent_id_unique UNIQUE, -- the subject of the link: another each time it is asked for
    name text NOT NULL,
    relation text NOT NULL,
    email text NOT NULL,
    asked_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    given_at timestamptz
);

-- The newest code of a learner for one guardian. It stays until it expires, so that who used it may ask again.
CREATE TABLE guardian_code (
    learner uuid CONSTRAINT guardian_code_pkey PRIMARY KEY
        CONSTRAINT guardian_code_learner_fkey REFERENCES account ON DELETE CASCADE,
    hash bytea NOT NULL CONSTRAINT guardian_code_hash_unique UNIQUE, -- a keyed hash: codes are short
    expires_at timestamptz NOT NULL,
    used_by uuid CONSTRAINT guardian_code_used_by_fkey REFERENCES account ON DELETE SET NULL,
    used_at timestamptz
);
CREATE INDEX guardian_code_expires_at ON guardian_code (expires_at);
CREATE INDEX guardian_code_used_by ON guardian_code (used_by);

CREATE TABLE guardian_link (
    id uuid CONSTRAINT guardian_link_pkey PRIMARY KEY,
    learner uuid NOT NULL CONSTRAINT guardian_link_learner_fkey REFERENCES account ON DELETE CASCADE,
    guardian uuid NOT NULL CONSTRAINT guardian_link_guardian_fkey REFERENCES account ON DELETE CASCADE,
    since timestamptz NOT NULL,
    CONSTRAINT guardian_link_unique UNIQUE (learner, guardian)
);
CREATE INDEX guardian_link_guardian ON guardian_link (guardian);

-- When guardians looked; for the learner to see.
CREATE TABLE guardian_view (
    learner uuid NOT NULL CONSTRAINT guardian_view_learner_fkey REFERENCES account ON DELETE CASCADE,
    guardian uuid NOT NULL CONSTRAINT guardian_view_guardian_fkey REFERENCES account ON DELETE CASCADE,
    what text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX guardian_view_learner ON guardian_view (learner, at);
CREATE INDEX guardian_view_guardian ON guardian_view (guardian);
CREATE INDEX guardian_view_at ON guardian_view (at);
