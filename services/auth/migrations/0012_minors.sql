-- Minors: whose mailbox an address is, consent as a guardian gave it, and changes of birth dates.

-- The canonical mailbox of an address: kit::form::mailbox in SQL. A test holds the two together.
CREATE FUNCTION mailbox(email text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT CASE
        WHEN address ~ '@(gmail|googlemail)\.com$' THEN replace(split_part(address, '@', 1), '.', '') || '@gmail.com'
        ELSE address
    END
    FROM (SELECT regexp_replace(lower(email), '^([^@+]+)\+[^@]*@', '\1@') AS address) AS untagged
);

-- Generated, so that a version of auth that does not know the column writes it too. Adding it rewrites the table.
ALTER TABLE account ADD COLUMN mailbox text GENERATED ALWAYS AS (mailbox(email)) STORED;
CREATE INDEX account_mailbox ON account (mailbox);

-- Whether an account of a minor has this mailbox. Learners of unknown age count as minors. `adult_born_by` is the last
-- birth date of those who are 18 today.
CREATE FUNCTION is_mailbox_of_minor(wanted text, adult_born_by date) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (
    SELECT FROM account
    WHERE account.mailbox = wanted
        AND ('learner' = ANY (scope) AND (birth_date IS NULL OR birth_date > adult_born_by)
            OR 'guardian' = ANY (scope) AND birth_date > adult_born_by)
);

-- What a guardian types when giving consent. Null in consent that is older than these columns.
ALTER TABLE consent
    ADD COLUMN mailbox text GENERATED ALWAYS AS (mailbox(email)) STORED,
    ADD COLUMN given_name text, -- the guardian's own name
    ADD COLUMN given_network bytea, -- a keyed hash of the network that it was given from
    -- SHA-256 of the token that withdraws it
    ADD COLUMN withdraw_hash bytea CONSTRAINT consent_withdraw_hash_length CHECK (octet_length(withdraw_hash) = 32),
    ADD CONSTRAINT consent_withdraw_hash_unique UNIQUE (withdraw_hash);

-- Consent that was withdrawn, as it was given. Once there is a row, a link to a guardian is no consent of the learner's
-- guardians any more.
CREATE TABLE consent_withdrawal (
    id uuid CONSTRAINT consent_withdrawal_pkey PRIMARY KEY,
    learner uuid NOT NULL CONSTRAINT consent_withdrawal_learner_fkey REFERENCES account ON DELETE CASCADE,
    -- The linked guardian who withdrew it; null where it was by the link of a mail.
    guardian uuid CONSTRAINT consent_withdrawal_guardian_fkey REFERENCES account ON DELETE SET NULL,
    withdrawn_at timestamptz NOT NULL,
    -- Null where a link was the consent.
    given_name text,
    relation text,
    email text,
    given_at timestamptz,
    given_network bytea
);
CREATE INDEX consent_withdrawal_learner ON consent_withdrawal (learner);
CREATE INDEX consent_withdrawal_guardian ON consent_withdrawal (guardian);

-- Every change of a birth date after sign-up, and those that wait for a guardian or the staff.
CREATE TABLE birth_date_change (
    id uuid CONSTRAINT birth_date_change_pkey PRIMARY KEY,
    account uuid NOT NULL CONSTRAINT birth_date_change_account_fkey REFERENCES account ON DELETE CASCADE,
    old_birth_date date, -- null: it was not told
    new_birth_date date NOT NULL,
    asked_at timestamptz NOT NULL,
    state text NOT NULL CONSTRAINT birth_date_change_state
        CHECK (state IN ('waiting', 'applied', 'approved', 'declined', 'replaced')),
    decided_at timestamptz,
    decided_by text CONSTRAINT birth_date_change_decided_by CHECK (decided_by IN ('owner', 'guardian', 'staff')),
    operator text, -- who of the staff
    -- SHA-256 of the token that guardians decide by; null where there was no guardian to ask
    link_hash bytea CONSTRAINT birth_date_change_link_hash_length CHECK (octet_length(link_hash) = 32),
    link_expires_at timestamptz,
    CONSTRAINT birth_date_change_link_hash_unique UNIQUE (link_hash),
    CONSTRAINT birth_date_change_decided CHECK ((state = 'waiting') = (decided_at IS NULL)),
    CONSTRAINT birth_date_change_decider CHECK ((decided_at IS NULL) = (decided_by IS NULL)),
    CONSTRAINT birth_date_change_operator CHECK ((operator IS NOT NULL) = (decided_by IS NOT DISTINCT FROM 'staff')),
    CONSTRAINT birth_date_change_link CHECK ((link_hash IS NULL) = (link_expires_at IS NULL))
);
CREATE INDEX birth_date_change_account ON birth_date_change (account, asked_at);
CREATE UNIQUE INDEX birth_date_change_one_waiting ON birth_date_change (account) WHERE state = 'waiting';
